"use client";

import {
  formatFee,
  getContractId,
  HashAlgorithm,
  Interfaces,
  MAX_STORED_METADATA_SIZE,
  parseDid,
} from "@app-registry/sdk";
import { HashText } from "../../../components/record/identifiers.tsx";
import { useRegistryClient } from "../../wallet/useRegistryClient.ts";
import { ServedJson } from "../dataUrl.tsx";
import { getMetadataField } from "../draft/metadataFields.ts";
import { canonicalDid } from "../draft/problems.ts";
import { toPublication } from "../draft/publication.ts";
import { Choice } from "../fields/Choice.tsx";
import { Field } from "../fields/Field.tsx";
import { useStorageCost } from "../review/useCost.ts";
import { useWizard } from "../WizardContext.tsx";
import { Group } from "./Group.tsx";

/** Renders the settings for hashing and storage, and the ids that other programs use for the service. */
export default function AdvancedStep() {
  const { draft, dispatch, publicUrl, registered } = useWizard();
  const publication = toPublication(draft, { publicUrl, registered });
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
            description: "Native to the chain.",
          },
          {
            value: String(HashAlgorithm.sha256),
            label: "sha256",
            description: "Supported by most tools outside the chain.",
          },
        ]}
      />
      {publication.dataHash ? (
        <p className="bar anywhere">
          <span className="soft small">dataHash</span>{" "}
          <HashText hash={publication.dataHash} label="dataHash" />
        </p>
      ) : null}
      <Storage />
      <Ids />
      <Field {...getMetadataField("probe")} control="check" />
    </>
  );
}

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

/** Renders the CAIP ids. The contract's id follows from its DID, so most users leave it empty. */
function Ids() {
  const { draft, registered } = useWizard();
  const fixed = registered?.record !== undefined;
  const did = canonicalDid(draft.did);
  const derived = did === undefined ? undefined : getContractId(parseDid(did));
  return (
    <Group title="Identifiers" help="Optional ids that other tools use. Derived from the DID where possible.">
      {(draft.interfaces & Interfaces.Contract) === 0 ? null : (
        <Field
          at="contractId"
          label="Contract id"
          placeholder={derived ?? "eip155:1:0x…"}
          fixed={fixed}
          help={
            derived === undefined
              ? "The contract's chain and address (CAIP-10), derived from the DID."
              : "The contract's chain and address (CAIP-10). Leave empty to derive it from the DID, as shown."
          }
        />
      )}
      <Field
        at="fungibleTokenId"
        label="Service token"
        placeholder="eip155:1/erc20:0x…"
        fixed={fixed}
        help="CAIP-19 id of the service's own token, if it has one. Optional. You can't change it later."
      />
    </Group>
  );
}
