"use client";

import { appStatusLabels, formatVersion } from "@app-registry/sdk";
import { AddressText, HashText } from "../../../components/record/identifiers.tsx";
import { useWallet } from "../../wallet/useRegistryClient.ts";
import { canonicalDid } from "../draft/problems.ts";
import { getStatusToSet, toPublication } from "../draft/publication.ts";
import { useWizard } from "../WizardContext.tsx";

/** Describes the transaction to sign in plain words. */
export function TransactionSummary() {
  const { draft, registered, publicUrl } = useWizard();
  const { address } = useWallet();
  const { dataHash, dataUrl, size, traits } = toPublication(draft, { publicUrl, registered });
  const record = registered?.record;
  const did = canonicalDid(draft.did);
  const status = getStatusToSet(draft, registered);
  const bytes = `${size.toLocaleString("en")} bytes`;
  return (
    <section className="stack2 small" aria-label="What you sign">
      <h2 className="minor">What you sign</h2>
      <p>
        Your wallet signs one registry transaction.{" "}
        {record
          ? `The transaction adds version ${draft.version} to record ${record.tokenId} of `
          : "The transaction creates the record of "}
        <code className="anywhere">{did ?? "(no DID yet)"}</code>
        {record ? `, after ${formatVersion(record.version)}.` : ` at version ${draft.version}.`}{" "}
        {record ? "Earlier versions stay readable." : null}
      </p>
      {record ? (
        <p>
          {status === undefined
            ? `The record stays ${appStatusLabels[record.status]}.`
            : `The record is ${appStatusLabels[record.status]} now. A second transaction sets the record to ${appStatusLabels[status]}.`}
        </p>
      ) : (
        <p>
          The record's token goes to your wallet{address === undefined ? " once you connect one." : ":"}
          {address === undefined ? null : <AddressText address={address} copy={false} />}
        </p>
      )}
      <p>
        {draft.storage === "chain"
          ? `The registry stores the ${bytes} of metadata on the chain.`
          : `The registry stores only the hash of the ${bytes} of metadata. You serve the document itself at the data URL.`}{" "}
        {traits.length === 0
          ? null
          : `The record has ${traits.length === 1 ? "one trait" : `${traits.length} traits`}: ${traits.join(", ")}.`}
      </p>
      <p>
        After that, anyone can find the service, read this record and check it against its hash. You can
        publish new versions or deprecate the record. Nobody can delete it, including you.
      </p>
      <dl>
        <dt className="quiet">dataHash you're signing</dt>
        <dd>{dataHash ? <HashText hash={dataHash} label="dataHash" /> : "none"}</dd>
        <dt className="quiet">Data URL</dt>
        <dd className="anywhere">{dataUrl ?? "missing"}</dd>
      </dl>
    </section>
  );
}
