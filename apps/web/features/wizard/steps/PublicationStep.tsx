"use client";

import { HashAlgorithm, MAX_STORED_METADATA_SIZE } from "@app-registry/sdk";
import { Radio } from "@mantine/core";
import { HashText } from "../../../components/record/identifiers.tsx";
import { publicationOf } from "../draft/publication.ts";
import { Field, frame } from "../fields/Field.tsx";
import { fieldId, useFieldError, useWizard } from "../WizardContext.tsx";

const radios = { root: "stack", label: frame.classNames.label, error: frame.classNames.error };

/** How the content is hashed and where it is kept. */
export function PublicationStep() {
  const { draft, dispatch, publicUrl, readOnly, registered } = useWizard();
  const storageError = useFieldError("storage");
  const publication = publicationOf(draft, { publicUrl, registered });
  return (
    <>
      <Radio.Group
        label="Hash algorithm"
        value={String(draft.algorithm)}
        onChange={(value) => dispatch({ type: "field", field: "algorithm", value: value === "1" ? 1 : 0 })}
        classNames={radios}
      >
        <div className="stack">
          <Radio
            value={String(HashAlgorithm.keccak256)}
            label="keccak256"
            description="The hash of the chain itself."
            disabled={readOnly}
          />
          <Radio
            value={String(HashAlgorithm.sha256)}
            label="sha256"
            description="The hash that most tools outside the chain know."
            disabled={readOnly}
          />
        </div>
      </Radio.Group>
      {publication.dataHash ? (
        <p className="bar anywhere">
          <span className="soft small">dataHash</span>{" "}
          <HashText hash={publication.dataHash} label="dataHash" />
        </p>
      ) : null}
      <Radio.Group
        id={fieldId("storage")}
        label="Where the metadata JSON is kept"
        error={storageError}
        value={draft.storage}
        onChange={(value) =>
          dispatch({ type: "field", field: "storage", value: value === "url" ? "url" : "chain" })
        }
        classNames={radios}
      >
        <div className="stack">
          <Radio
            value="chain"
            disabled={readOnly}
            label="On the chain"
            description={`It can't be lost or changed, and costs gas for each byte: ${publication.size.toLocaleString("en")} of at most ${MAX_STORED_METADATA_SIZE.toLocaleString("en")} bytes.`}
          />
          <Radio
            value="url"
            disabled={readOnly}
            label="At a URL of my own"
            description="Only its hash is on the chain. You keep the exact bytes available at that URL."
          />
        </div>
      </Radio.Group>
      <Field
        at="dataUrl"
        label="Data URL"
        required={draft.storage === "url" && publication.dataUrl === undefined}
        placeholder={publication.dataUrl ?? "https://example.com/service.json"}
        help={
          draft.storage === "url"
            ? "Where the JSON is found. Publish the exact JSON of the review step there."
            : "Leave it empty to keep the record's own URL, or to have this registry serve the JSON of every version from the chain."
        }
      />
    </>
  );
}
