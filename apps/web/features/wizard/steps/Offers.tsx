"use client";

import type { JsonObject } from "@app-registry/sdk";
import { capabilityFields } from "../draft/endpointFields.ts";
import type { FieldSpec } from "../draft/metadataFields.ts";
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
  const shown = capabilityFields.filter(({ at, offeredBy }) => offeredBy === trait || at.slice(1) in entry);
  return shown.map((offer) =>
    offer.columns ? (
      <Offer key={offer.at} {...offer} at={pointer + offer.at} of={of} />
    ) : (
      <Field key={offer.at} {...offer} at={pointer + offer.at} />
    ),
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
      {editor ?? <Field {...rows} />}
    </Group>
  );
}
