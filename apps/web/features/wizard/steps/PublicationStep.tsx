"use client";

import { HashAlgorithm, MAX_STORED_METADATA_SIZE } from "@app-registry/sdk";
import { HashText } from "../../../components/record/identifiers.tsx";
import { publicationOf } from "../draft/publication.ts";
import { Choice } from "../fields/Choice.tsx";
import { Field } from "../fields/Field.tsx";
import { useWizard } from "../WizardContext.tsx";

/** How the content is hashed and where it is kept. */
export function PublicationStep() {
  const { draft, dispatch, publicUrl, registered } = useWizard();
  const publication = publicationOf(draft, { publicUrl, registered });
  return (
    <>
      <Choice
        at="algorithm"
        label="Hash algorithm"
        onChoice={(value) => dispatch({ type: "field", field: "algorithm", value: value === "1" ? 1 : 0 })}
        choices={[
          {
            value: String(HashAlgorithm.keccak256),
            label: "keccak256",
            description: "The hash of the chain itself.",
          },
          {
            value: String(HashAlgorithm.sha256),
            label: "sha256",
            description: "The hash that most tools outside the chain know.",
          },
        ]}
      />
      {publication.dataHash ? (
        <p className="bar anywhere">
          <span className="soft small">dataHash</span>{" "}
          <HashText hash={publication.dataHash} label="dataHash" />
        </p>
      ) : null}
      <Choice
        at="storage"
        label="Where the metadata JSON is kept"
        onChoice={(value) =>
          dispatch({ type: "field", field: "storage", value: value === "url" ? "url" : "chain" })
        }
        choices={[
          {
            value: "chain",
            label: "On the chain",
            description: `It can't be lost or changed, and costs gas for each byte: ${publication.size.toLocaleString("en")} of at most ${MAX_STORED_METADATA_SIZE.toLocaleString("en")} bytes.`,
          },
          {
            value: "url",
            label: "At a URL of my own",
            description: "Only its hash is on the chain. You keep the exact bytes available at that URL.",
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
            ? "The URL that serves the JSON. Publish the exact JSON of the review step there."
            : "Leave it empty to keep the record's own URL, or to have this registry serve the JSON of every version from the chain."
        }
      />
    </>
  );
}
