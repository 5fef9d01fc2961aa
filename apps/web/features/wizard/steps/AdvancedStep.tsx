"use client";

import {
  contractIdOf,
  HashAlgorithm,
  Interfaces,
  MAX_STORED_METADATA_SIZE,
  parseDid,
} from "@app-registry/sdk";
import { HashText } from "../../../components/record/identifiers.tsx";
import { ServedJson } from "../dataUrl.tsx";
import { canonicalDid } from "../draft/problems.ts";
import { publicationOf } from "../draft/publication.ts";
import { Choice } from "../fields/Choice.tsx";
import { Field } from "../fields/Field.tsx";
import { useWizard } from "../WizardContext.tsx";
import { Group } from "./Group.tsx";

/** How the content is hashed, where it is kept, and the ids that other programs know the service by. */
export default function AdvancedStep() {
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
            ? "The URL that serves the JSON."
            : "Leave it empty to keep the record's own URL, or to have this registry serve the JSON of every version from the chain."
        }
      />
      <ServedJson />
      <Ids />
      <Field
        at="/probe"
        control="check"
        isDefault
        label="Ask this service daily whether it answers"
        help="Its page then says when it answered last, and whether it offers what you registered. A part of the record."
      />
    </>
  );
}

/** CAIP ids. The contract's follows from its DID, so most people never write one. */
function Ids() {
  const { draft, registered } = useWizard();
  const fixed = registered?.record !== undefined;
  const did = canonicalDid(draft.did);
  const derived = did === undefined ? undefined : contractIdOf(parseDid(did));
  return (
    <Group title="Ids for other programs" help="The registry derives what it can from the DID.">
      {(draft.interfaces & Interfaces.Contract) === 0 ? null : (
        <Field
          at="contractId"
          label="Contract id"
          placeholder={derived ?? "eip155:1:0x…"}
          fixed={fixed}
          help={
            derived === undefined
              ? "The contract's chain and address (CAIP-10). It follows from the DID."
              : "The contract's chain and address (CAIP-10). Leave it empty: it follows from the DID, as shown."
          }
        />
      )}
      <Field
        at="fungibleTokenId"
        label="Token of the service"
        placeholder="eip155:1/erc20:0x…"
        fixed={fixed}
        help="Its chain, kind and address (CAIP-19), if the service has a token. Optional; you can't change it later."
      />
    </Group>
  );
}
