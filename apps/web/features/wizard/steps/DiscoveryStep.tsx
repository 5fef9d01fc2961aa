"use client";

import { MAX_TRAITS, normalizeTrait } from "@app-registry/sdk";
import { TagsInput } from "@mantine/core";
import { apiTraits } from "../draft/draft.ts";
import { DraftText } from "../fields/DraftText.tsx";
import { fieldOrder, frame } from "../fields/MetadataText.tsx";
import { RowsField } from "../fields/RowsField.tsx";
import { useFieldProps, useMetadata, useWizard } from "../WizardContext.tsx";
import { Group, StepFrame } from "./StepFrame.tsx";

/** By which tags the service is found, and how it is paid. */
export function DiscoveryStep() {
  const { registered } = useWizard();
  return (
    <StepFrame
      title="Traits and payments"
      intro="Traits are the tags by which search finds the service. The registry stores a hash of each."
    >
      <TraitsField />
      <Group
        title="Payments"
        help="Ways to pay for calls, such as x402. Leave it empty when the service is free."
      >
        <RowsField
          pointer="/payments"
          item="Payment"
          summary="type"
          columns={[
            { key: "type", label: "Type", placeholder: "x402" },
            { key: "url", label: "Payment URL", placeholder: "https://example.com/pay", mono: true },
            { key: "chains", label: "Chains (CAIP-2)", kind: "tags", placeholder: "eip155:1" },
          ]}
        />
      </Group>
      <DraftText
        field="fungibleTokenId"
        label="Fungible token id (CAIP-19)"
        placeholder="eip155:1/erc20:0x…"
        fixed={registered?.record !== undefined}
        help="The token of the service, if it has one. Optional; it can't be changed later."
      />
    </StepFrame>
  );
}

// A pasted list arrives as one entry.
const traitsIn = (entry: string): string[] =>
  entry
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(normalized);

const normalized = (trait: string): string => {
  try {
    return normalizeTrait(trait);
  } catch {
    return trait;
  }
};

function TraitsField() {
  const { draft, dispatch } = useWizard();
  const value = useMetadata("/traits");
  const props = useFieldProps("/traits");
  const apiTrait = apiTraits(draft.metadata)[0];
  const traits = (Array.isArray(value) ? value : []).filter((trait) => typeof trait === "string");
  const own = traits.filter((trait) => trait !== apiTrait);
  const set = (next: string[]) => {
    const all = [...(apiTrait === undefined ? [] : [apiTrait]), ...next.flatMap(traitsIn)];
    dispatch({ type: "set", pointer: "/traits", value: all.length === 0 ? undefined : all });
  };
  const automatic = apiTrait === undefined ? "" : ` ${apiTrait} is there already, from the API type.`;
  return (
    <TagsInput
      {...props}
      label="Traits"
      description={`Up to ${MAX_TRAITS}, separated by commas or Enter. Small letters, digits and : . _ - , such as pay:x402 or travel.${automatic}`}
      placeholder={own.length === 0 ? "travel, booking" : undefined}
      value={own}
      onChange={set}
      splitChars={[",", " ", "\n"]}
      acceptValueOnBlur
      inputWrapperOrder={[...fieldOrder]}
      classNames={frame}
    />
  );
}
