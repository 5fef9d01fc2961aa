"use client";

import { formatFee, MAX_STORED_METADATA_SIZE } from "@app-registry/sdk";
import { useRegistryClient } from "../../wallet/useRegistryClient.ts";
import { ServedJson } from "../dataUrl.tsx";
import { toPublication } from "../draft/publication.ts";
import { Choice } from "../fields/Choice.tsx";
import { Field } from "../fields/Field.tsx";
import { useStorageCost } from "../review/useCost.ts";
import { useWizard } from "../WizardContext.tsx";

/** Renders the choice between the chain and the publisher's host, with the cost of each for a large document. */
export function Storage() {
  const { draft, dispatch, publicUrl, registered } = useWizard();
  const { publicClient } = useRegistryClient();
  const publication = toPublication(draft, { publicUrl, registered });
  const cost = useStorageCost(publication, registered?.record !== undefined);
  const price = (wei: bigint | undefined) =>
    wei === undefined ? "" : ` Publishing costs about ${formatFee(wei, publicClient.chain?.nativeCurrency)}.`;
  return (
    <>
      <Choice
        at="storage"
        label="Metadata storage"
        onChoice={(value) =>
          dispatch({ type: "field", field: "storage", value: value === "url" ? "url" : "chain" })
        }
        choices={[
          {
            value: "chain",
            label: "On the chain",
            description: `Permanent and immutable. Costs gas per byte: ${publication.size.toLocaleString("en")} of ${MAX_STORED_METADATA_SIZE.toLocaleString("en")} bytes used.${price(cost?.chain)}`,
          },
          {
            value: "url",
            label: "At my own URL",
            description: `Only the hash is on the chain. You must keep serving the exact document at that URL.${price(cost?.hash)}`,
          },
        ]}
      />
      <Field
        at="dataUrl"
        label="Data URL"
        required={draft.storage === "url" && publication.dataUrl === undefined}
        placeholder={publication.dataUrl ?? "https://example.com/service.json"}
        help={
          draft.storage === "url"
            ? "The URL that serves the JSON."
            : "Leave empty to keep the record's current URL. New records use this registry's URL, which serves every version from the chain."
        }
      />
      <ServedJson />
    </>
  );
}
