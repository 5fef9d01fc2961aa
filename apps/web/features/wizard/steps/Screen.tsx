"use client";

import { apiTypes, Interfaces, MAX_TRAITS, normalizeTrait, parseDid, toJsonPointer } from "@app-registry/sdk";
import { Checkbox, NativeSelect, TextInput } from "@mantine/core";
import type { ComponentType, ReactNode } from "react";
import { apiTraits, contractEndpointIndex, type InterfaceBit, type StepId } from "../draft/draft.ts";

import { canonicalDid } from "../draft/problems.ts";
import { type FieldSpec, type GroupSpec, screens } from "../draft/screens.ts";
import { Field, frame, Tags, useInput } from "../fields/Field.tsx";
import styles from "../fields/fields.module.css";
import { fieldId, useFieldError, useMetadata, useWizard } from "../WizardContext.tsx";
import { ApiStep } from "./ApiStep.tsx";
import { Group } from "./Group.tsx";
import { IdentityStep } from "./IdentityStep.tsx";
import { PublicationStep } from "./PublicationStep.tsx";
import { ReviewStep } from "./ReviewStep.tsx";

/** What a screen shows beside the fields of its table: before them and after them. */
const parts: Partial<Record<StepId, { before?: ComponentType; after?: ComponentType }>> = {
  identity: { after: IdentityStep },
  interfaces: { after: InterfacesStep },
  api: { after: ApiStep },
  contract: { after: ContractStep },
  discovery: { before: TraitsField, after: TokenField },
  publication: { after: PublicationStep },
  review: { after: ReviewStep },
};

/** The screen on which the draft stands: its title, what it is for, and its fields. */
export function Screen() {
  const { draft } = useWizard();
  const { title, intro, content = [] } = screens[draft.step];
  const { before: Before, after: After } = parts[draft.step] ?? {};
  return (
    <section className={`stack3 ${styles.step}`} aria-labelledby="step-title">
      <header className="stack">
        <h2 id="step-title" tabIndex={-1} className={styles.title}>
          {title}
        </h2>
        <p className="prose soft">{intro}</p>
      </header>
      <div className="stack3">
        {Before ? <Before /> : null}
        {content.map((part) => (
          <Part key={"at" in part ? part.at : part.title} part={part} />
        ))}
        {After ? <After /> : null}
      </div>
    </section>
  );
}

function Part({ part }: { part: FieldSpec | GroupSpec }): ReactNode {
  const { draft } = useWizard();
  if ("fields" in part) {
    return (
      <Group title={part.title} help={part.help}>
        {part.fields.map((field) => (
          <Field key={field.at} {...field} />
        ))}
      </Group>
    );
  }
  const required = part.at === "/image" && (draft.interfaces & Interfaces.Human) !== 0;
  return <Field {...part} {...(required && { required })} />;
}

const interfaceChoices: { bit: InterfaceBit; label: string; description: string }[] = [
  { bit: Interfaces.Human, label: "Human", description: "People use it: a website or an app." },
  {
    bit: Interfaces.Api,
    label: "API",
    description: "Programs and agents call it: REST, an MCP server, an A2A agent and others.",
  },
  { bit: Interfaces.Contract, label: "Contract", description: "It runs on a chain. Its DID is a did:pkh." },
];

/** Which of the three interfaces the service has, and the type of its API. */
function InterfacesStep() {
  const { draft, dispatch, readOnly } = useWizard();
  const { error, label } = frame.classNames;
  return (
    <>
      <Checkbox.Group
        id={fieldId("interfaces")}
        label="Interfaces"
        error={useFieldError("interfaces")}
        value={interfaceChoices
          .filter(({ bit }) => (draft.interfaces & bit) !== 0)
          .map(({ bit }) => String(bit))}
        classNames={{ root: "stack", error, label }}
      >
        <div className="stack">
          {interfaceChoices.map(({ bit, ...texts }) => (
            <Checkbox
              key={bit}
              value={String(bit)}
              {...texts}
              disabled={readOnly}
              onChange={(event) => dispatch({ type: "interface", bit, on: event.currentTarget.checked })}
            />
          ))}
        </div>
      </Checkbox.Group>
      {(draft.interfaces & Interfaces.Api) === 0 ? null : <ApiType />}
    </>
  );
}

const OTHER = "other";

function ApiType() {
  const { draft, dispatch } = useWizard();
  const trait = apiTraits(draft.metadata)[0];
  const listed = trait === undefined || apiTypes.some((type) => type.trait === trait);
  const help = trait ? `The record gets the trait ${trait}.` : "The record gets the matching trait.";
  const set = (next: string) => dispatch({ type: "apiType", trait: next });
  return (
    <>
      <NativeSelect
        {...useInput({ at: "apiType", label: "API type", help, required: true })}
        value={listed ? (trait ?? "") : OTHER}
        onChange={({ currentTarget: { value } }) => set(value === OTHER ? "api:" : value)}
        data={[
          { value: "", label: "Choose the API type", disabled: true },
          ...apiTypes.map((type) => ({ value: type.trait, label: type.label })),
          { value: OTHER, label: "Another type" },
        ]}
      />
      {listed ? null : (
        <TextInput
          {...frame}
          label="Trait of the API type"
          description="Starts with api: and names the type, such as api:soap."
          value={trait}
          onChange={({ currentTarget: { value } }) => set(value.startsWith("api:") ? value : `api:${value}`)}
        />
      )}
    </>
  );
}

/** Where the contract is and how to call it. */
function ContractStep() {
  const { draft, dispatch, registered } = useWizard();
  const index = contractEndpointIndex(draft);
  const did = canonicalDid(draft.did);
  const parsed = did === undefined ? undefined : parseDid(did);
  const endpointField = (key: "endpoint" | "schemaUrl", label: string, placeholder: string, help: string) => (
    <Field
      at={toJsonPointer(["endpoints", index, key])}
      {...{ label, placeholder, help }}
      mono
      onText={(value) => dispatch({ type: "contractEndpoint", key, value })}
    />
  );
  return (
    <>
      <p className="soft small">
        {parsed?.method === "pkh"
          ? `The DID names contract ${parsed.address} on chain ${parsed.chainId}.`
          : "The DID must be a did:pkh, such as did:pkh:eip155:1:0x…: its last part is the contract's address."}
      </p>
      <Field
        at="contractId"
        label="Contract id (CAIP-10)"
        placeholder={parsed?.method === "pkh" ? `eip155:${parsed.chainId}:${parsed.address}` : "eip155:1:0x…"}
        fixed={registered?.record !== undefined}
        help="Optional. It must name the same contract as the DID."
      />
      {endpointField(
        "endpoint",
        "RPC endpoint URL",
        "https://rpc.example.com",
        "A node that you recommend for calling it. Optional.",
      )}
      {endpointField(
        "schemaUrl",
        "ABI URL",
        "https://example.com/abi.json",
        "Where programs read the ABI as JSON. Optional.",
      )}
    </>
  );
}

/** A pasted list arrives as one entry. */
const traitsIn = (entry: string): string[] =>
  entry
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((trait) => {
      try {
        return normalizeTrait(trait);
      } catch {
        return trait;
      }
    });

function TraitsField() {
  const { draft, dispatch } = useWizard();
  const value = useMetadata("/traits");
  const apiTrait = apiTraits(draft.metadata)[0];
  const traits = (Array.isArray(value) ? value : []).filter((trait) => typeof trait === "string");
  const own = traits.filter((trait) => trait !== apiTrait);
  const set = (next: string[]) => {
    const all = [...(apiTrait === undefined ? [] : [apiTrait]), ...next.flatMap(traitsIn)];
    dispatch({ type: "set", pointer: "/traits", value: all.length === 0 ? undefined : all });
  };
  const automatic = apiTrait === undefined ? "" : ` The API type adds ${apiTrait}.`;
  const help = `Up to ${MAX_TRAITS}, separated by commas or Enter. Lower-case letters, digits and : . _ - , such as pay:x402 or travel.${automatic}`;
  return (
    <Tags at="/traits" label="Traits" help={help} placeholder="travel, booking" tags={own} onTags={set} />
  );
}

function TokenField() {
  const { registered } = useWizard();
  return (
    <Field
      at="fungibleTokenId"
      label="Fungible token id (CAIP-19)"
      placeholder="eip155:1/erc20:0x…"
      fixed={registered?.record !== undefined}
      help="The token of the service, if it has one. Optional; you can't change it later."
    />
  );
}
