"use client";

import { getContractId, HashAlgorithm, Interfaces, parseDid } from "@app-registry/sdk";
import { HashText } from "../../../components/record/identifiers.tsx";
import { getMetadataField } from "../draft/metadataFields.ts";
import { canonicalDid } from "../draft/problems.ts";
import { toPublication } from "../draft/publication.ts";
import { Choice } from "../fields/Choice.tsx";
import { Field } from "../fields/Field.tsx";
import { useWizard } from "../WizardContext.tsx";
import { Group } from "./Group.tsx";
import { Storage } from "./Storage.tsx";

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
