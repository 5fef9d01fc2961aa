import { appStatusLabels, formatVersion, hashAlgorithmName } from "@app-registry/sdk";
import { CopyButton } from "../../../components/record/CopyButton.tsx";
import { DefinitionLines } from "../../../components/record/documents.tsx";
import { AddressText, DidText, HashText, interfaceText } from "../../../components/record/labels.tsx";
import { QueryBoundary } from "../../wallet/QueryBoundary.tsx";
import { useWallet } from "../../wallet/useRegistryClient.ts";
import { ControlCheck } from "../control/ControlCheck.tsx";
import { getStatusToSet } from "../draft/publication.ts";
import { Group } from "../fields/Fields.tsx";
import { Storage } from "../steps/AdvancedStep.tsx";
import { ProblemLinks, PublishedChanges, RegisteredNotice } from "../steps/notices.tsx";
import { useIsWide, useRegistered, useWizard } from "../WizardContext.tsx";
import { LARGE_DOCUMENT } from "./Funds.tsx";

/** Shows everything before it is signed: open problems and every value. The layout adds the preview of the page. */
export default function Review() {
  const { did, draft, problems, registered, publication, control } = useWizard();
  const { address } = useWallet();
  const asked = useRegistered(draft);
  const isWide = useIsWide();
  return (
    <>
      <RegisteredNotice />
      {problems.length > 0 ? (
        <Group
          title={`${problems.length} ${problems.length === 1 ? "problem" : "problems"} to fix`}
          help="Select a problem to jump to its field."
        >
          <ProblemLinks problems={problems} />
        </Group>
      ) : (
        <QueryBoundary
          query={asked}
          asking="Checking what is registered for this DID…"
          failed="Couldn't reach the chain"
          otherwise="We couldn't check whether this DID is already registered, so you can't publish right now. Your draft is unaffected."
          level={3}
        >
          {() => null}
        </QueryBoundary>
      )}
      {publication.size < LARGE_DOCUMENT ? null : (
        <Group title="Storage of the metadata">
          <Storage />
        </Group>
      )}
      {did === undefined || address === undefined ? null : (
        <Group title="Control of the DID" help="Checked again when you publish.">
          <ControlCheck did={did} account={address} control={control} />
        </Group>
      )}
      {isWide ? null : <TransactionSummary />}
      {registered?.record ? (
        <PublishedChanges did={registered.did} version={registered.record.version} />
      ) : null}
      <details className="fold">
        <summary>All registered values</summary>
        <RecordFacts />
      </details>
      <ExactJson canonical={publication.canonical} />
    </>
  );
}

/** Shows the document formatted, with a button that copies the exact text that is hashed. */
function ExactJson({ canonical }: { canonical: string | undefined }) {
  if (canonical === undefined) return null;
  return (
    <details className="fold">
      <summary>Metadata as JSON</summary>
      <div className="stack">
        <p className="small soft prose">
          This is the canonical form (RFC 8785): no extra whitespace, members in a fixed order. Your
          transaction records the hash of exactly this text. Copy copies this text unchanged.
        </p>
        <div className="box small" style={{ maxHeight: 320, overflow: "auto" }}>
          <CopyButton text={canonical} label="Copy the metadata JSON" withWord />
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
          <pre tabIndex={0}>{JSON.stringify(JSON.parse(canonical), null, 2)}</pre>
        </div>
      </div>
    </details>
  );
}

function RecordFacts() {
  const { draft, registered, publication } = useWizard();
  const { dataHash, dataUrl, traits } = publication;
  const record = registered?.record;
  const did = draft.did.trim();
  const status = getStatusToSet(draft, registered);
  const present = record && appStatusLabels[record.status];
  const change = record
    ? `Update of record ${record.tokenId} (current version ${formatVersion(record.version)})`
    : "New record";
  const becomes =
    status === undefined ? `${present} (unchanged)` : `${appStatusLabels[status]} (currently ${present})`;
  return (
    <DefinitionLines
      lines={[
        { term: "Change", value: change },
        { term: "DID", value: did === "" ? "Missing" : <DidText did={did} copy={false} /> },
        { term: "Version", value: draft.version },
        ...(present === undefined ? [] : [{ term: "Status", value: becomes }]),
        { term: "Interfaces", value: interfaceText(draft.interfaces) || "Missing" },
        { term: "Traits", value: traits.join(", ") || "None" },
        { term: "Data URL", value: dataUrl ?? "Missing" },
        { term: "dataHash", value: dataHash ? <HashText hash={dataHash} label="dataHash" /> : "Missing" },
        { term: "Algorithm", value: hashAlgorithmName(draft.algorithm) },
      ]}
    />
  );
}

/** Describes the transaction to sign in plain words. */
export function TransactionSummary() {
  const { did, draft, registered, publication } = useWizard();
  const { address } = useWallet();
  const { dataHash, dataUrl, size, traits } = publication;
  const record = registered?.record;
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
