"use client";

import { appStatusLabels, formatVersion, hashAlgorithmName } from "@app-registry/sdk";
import { CopyButton } from "../../../components/record/CopyButton.tsx";
import { DefinitionLines } from "../../../components/record/documents.tsx";
import { DidText, HashText } from "../../../components/record/identifiers.tsx";
import { interfaceText } from "../../../components/record/labels.tsx";
import { QueryBoundary } from "../../wallet/QueryBoundary.tsx";
import { useWallet } from "../../wallet/useRegistryClient.ts";
import { ControlCheck } from "../control/ControlCheck.tsx";
import { useDraftControl } from "../control/ControlContext.tsx";
import { canonicalDid } from "../draft/problems.ts";
import { getStatusToSet, toPublication } from "../draft/publication.ts";
import styles from "../fields/fields.module.css";
import { Storage } from "../steps/AdvancedStep.tsx";
import { Group } from "../steps/Group.tsx";
import { ProblemLinks } from "../steps/ProblemLinks.tsx";
import { PublishedChanges } from "../steps/PublishedChanges.tsx";
import { RegisteredNotice } from "../steps/RegisteredNotice.tsx";
import { useIsWide } from "../useIsWide.ts";
import { useRegistered, useWizard } from "../WizardContext.tsx";
import { TransactionSummary } from "./TransactionSummary.tsx";
import { LARGE_DOCUMENT } from "./useCost.ts";

/** Shows everything before it is signed: open problems and every value. The layout adds the preview of the page. */
export function Review() {
  const { draft, problems, registered, publicUrl } = useWizard();
  const { address } = useWallet();
  const publication = toPublication(draft, { publicUrl, registered });
  const asked = useRegistered(draft);
  const control = useDraftControl();
  const isWide = useIsWide();
  const did = canonicalDid(draft.did);
  return (
    <>
      <RegisteredNotice />
      {problems.length === 0 ? null : (
        <Group
          title={`${problems.length} ${problems.length === 1 ? "problem" : "problems"} to fix`}
          help="Select a problem to jump to its field."
        >
          <ProblemLinks problems={problems} />
        </Group>
      )}
      {problems.length === 0 ? (
        <QueryBoundary
          query={asked}
          asking="Checking what is registered for this DID…"
          failed="Couldn't reach the chain"
          otherwise="We couldn't check whether this DID is already registered, so you can't publish right now. Your draft is unaffected."
          level={3}
        >
          {() => null}
        </QueryBoundary>
      ) : null}
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
        <div className={styles.exact}>
          <CopyButton text={canonical} label="Copy the metadata JSON" withWord />
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
          <pre tabIndex={0}>{JSON.stringify(JSON.parse(canonical), null, 2)}</pre>
        </div>
      </div>
    </details>
  );
}

function RecordFacts() {
  const { draft, registered, publicUrl } = useWizard();
  const did = draft.did.trim();
  const { dataHash, dataUrl, traits } = toPublication(draft, { publicUrl, registered });
  const status = getStatusToSet(draft, registered);
  const present = registered?.record && appStatusLabels[registered.record.status];
  const kind = registered?.record
    ? `Update of record ${registered.record.tokenId} (current version ${formatVersion(registered.record.version)})`
    : "New record";
  return (
    <DefinitionLines
      lines={[
        { term: "Change", value: kind },
        { term: "DID", value: did === "" ? "Missing" : <DidText did={did} copy={false} /> },
        { term: "Version", value: draft.version },
        ...(present === undefined
          ? []
          : [
              {
                term: "Status",
                value:
                  status === undefined
                    ? `${present} (unchanged)`
                    : `${appStatusLabels[status]} (currently ${present})`,
              },
            ]),
        { term: "Interfaces", value: interfaceText(draft.interfaces) || "Missing" },
        { term: "Traits", value: traits.join(", ") || "None" },
        { term: "Data URL", value: dataUrl ?? "Missing" },
        { term: "dataHash", value: dataHash ? <HashText hash={dataHash} label="dataHash" /> : "Missing" },
        { term: "Algorithm", value: hashAlgorithmName(draft.algorithm) },
      ]}
    />
  );
}
