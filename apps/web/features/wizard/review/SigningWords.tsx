"use client";

import { formatVersion, statusNames } from "@app-registry/sdk";
import { AddressText, HashText } from "../../../components/record/identifiers.tsx";
import { useWallet } from "../../wallet/useRegistryClient.ts";
import { canonicalDid } from "../draft/problems.ts";
import { publicationOf, statusToSet } from "../draft/publication.ts";
import { useWizard } from "../WizardContext.tsx";

/** What the wallet signs, in plain words. */
export function SigningWords() {
  const { draft, registered, publicUrl } = useWizard();
  const { address } = useWallet();
  const { dataHash, dataUrl, size, traits } = publicationOf(draft, { publicUrl, registered });
  const record = registered?.record;
  const did = canonicalDid(draft.did);
  const status = statusToSet(draft, registered);
  const bytes = `${size.toLocaleString("en")} bytes`;
  return (
    <section className="stack2 small" aria-label="What you sign">
      <h2 className="minor">What you sign</h2>
      <p>
        Your wallet signs one transaction to the registry.{" "}
        {record
          ? `You add version ${draft.version} to record ${record.tokenId} of `
          : "You create the record of "}
        <code className="anywhere">{did ?? "a DID that is still missing"}</code>
        {record ? `, after ${formatVersion(record.version)}.` : ` at version ${draft.version}.`}{" "}
        {record ? "Earlier versions stay readable." : null}
      </p>
      {record ? (
        <p>
          {status === undefined
            ? `The record's status stays ${statusNames[record.status]}, as now.`
            : `The record's status is ${statusNames[record.status]} now. A second one marks the record as ${statusNames[status]}.`}
        </p>
      ) : (
        <p>
          Its token goes to your wallet{address === undefined ? ", once one is connected." : ":"}
          {address === undefined ? null : <AddressText address={address} copy={false} />}
        </p>
      )}
      <p>
        {draft.storage === "chain"
          ? `The registry stores the ${bytes} of metadata on the chain.`
          : `The registry stores the hash of the ${bytes} of metadata, and not the metadata: you serve it at the data URL.`}{" "}
        {traits.length === 0
          ? null
          : `It carries ${traits.length === 1 ? "one trait" : `${traits.length} traits`}: ${traits.join(", ")}.`}
      </p>
      <p>
        Anybody can then find the service, read what you wrote and check it against its hash. You can publish
        further versions or take it out of use. Nobody can delete it, you included.
      </p>
      <dl>
        <dt className="quiet">dataHash, which you sign</dt>
        <dd>{dataHash ? <HashText hash={dataHash} label="dataHash" /> : "none"}</dd>
        <dt className="quiet">Data URL</dt>
        <dd className="anywhere">{dataUrl ?? "missing"}</dd>
      </dl>
    </section>
  );
}
