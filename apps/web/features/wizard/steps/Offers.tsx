"use client";

import type { JsonObject } from "@app-registry/sdk";
import { capabilityFields, getCapabilityFields } from "../draft/endpointFields.ts";
import type { FieldSpec } from "../draft/screens.ts";
import { useJsonEditor } from "../fields/AsJson.tsx";
import { Field } from "../fields/Field.tsx";
import { useMetadata } from "../WizardContext.tsx";
import { Group } from "./Group.tsx";

interface OffersProps {
  pointer: string;
  entry: JsonObject;
  trait: string;
  /** Name of the endpoint among several. */
  of: string | undefined;
}

/** Renders the capabilities of an MCP server or agent, and any others that the entry already lists. */
export function Offers({ pointer, entry, trait, of }: OffersProps) {
  const usual = getCapabilityFields(trait);
  const shown = capabilityFields.filter((offer) => usual.includes(offer) || offer.at.slice(1) in entry);
  const { instructions } = entry;
  return (
    <>
      {trait === "api:mcp" || instructions !== undefined ? (
        <Field
          at={`${pointer}/instructions`}
          label="Instructions"
          help="What the server tells agents about how to use it. Optional."
          lines={3}
        />
      ) : null}
      {shown.map((offer) => (
        <Offer key={offer.at} {...offer} at={pointer + offer.at} of={of} />
      ))}
    </>
  );
}

function Offer({ help, of, ...rows }: FieldSpec & Pick<OffersProps, "of">) {
  const { at, label } = rows;
  const value = useMetadata(at);
  const fits = value === undefined || Array.isArray(value);
  const { editor, toggle } = useJsonEditor({ at, label, fits });
  return (
    <Group
      title={`${label} (${Array.isArray(value) ? value.length : 0})`}
      help={help}
      action={toggle}
      of={of}
    >
      {editor ?? <Field {...rows} control="rows" />}
    </Group>
  );
}
