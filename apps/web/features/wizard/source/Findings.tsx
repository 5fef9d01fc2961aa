"use client";

import {
  createProposal,
  type Discovery,
  type Finding,
  type FindingKind,
  fillMetadata,
  getOwnReason,
} from "@app-registry/outbound/fill";
import { getProvenSubject, parseDid } from "@app-registry/sdk";
import { Button } from "@mantine/core";
import { StatusMark } from "../../../components/record/StatusMark.tsx";
import { QuietButton } from "../../wallet/WalletBar.tsx";
import { useDraftControl } from "../control/ControlContext.tsx";
import { canonicalDid } from "../draft/problems.ts";
import { fieldLabel } from "../draft/screens.ts";
import { useWizard } from "../WizardContext.tsx";
import { AddressVariables, type OnFill } from "./AddressVariables.tsx";
import styles from "./source.module.css";

const kindNames: Record<FindingKind, string> = {
  metadata: "Service metadata",
  mcp: "MCP server",
  a2a: "A2A agent",
  openapi: "API",
  erc8004: "ERC-8004 registration file",
  contract: "Contract",
  website: "Website",
};

/** Element id to which the page scrolls after a search. */
export const FOUND_ID = "found";

type FindingsProps = { discovery: Discovery; onFill: OnFill };

/** Shows the findings with their locations and use, and the DIDs that the service could have. */
export function Findings({ discovery, onFill }: FindingsProps) {
  return (
    <section id={FOUND_ID} className={`stack2 ${styles.found}`} aria-label="Results">
      <FoundList discovery={discovery} onFill={onFill} />
      <DidChoices discovery={discovery} />
      <Looks discovery={discovery} />
      <Differences discovery={discovery} />
    </section>
  );
}

function FoundList({ discovery, onFill }: FindingsProps) {
  const { draft, dispatch, readOnly } = useWizard();
  const { looked } = discovery;
  if (discovery.findings.length === 0 && looked.length > 0 && looked.every(isFailed)) {
    return (
      <p role="status" className="anywhere">
        <StatusMark outcome="fail" /> Couldn't reach this address. {looked[0]?.reason}
      </p>
    );
  }
  if (discovery.findings.length === 0) {
    return (
      <p role="status" className="anywhere">
        <StatusMark outcome="unknown" /> The address responds, but nothing there describes a service.{" "}
        {getOwnReason(discovery)} Choose a type below and fill in the form.
      </p>
    );
  }
  return (
    <ul className="stack" role="status">
      {discovery.findings.map((finding) => (
        <li key={finding.kind + finding.url} className={styles.finding}>
          <div className="anywhere">
            <strong>{kindNames[finding.kind]}</strong> <span className="mono small">{finding.url}</span>
            <Offers finding={finding} />
            {finding.notes?.map((note) => (
              <span key={note} className={`small ${styles.offers}`}>
                {note}
              </span>
            ))}
            {finding.variables ? (
              <AddressVariables variables={finding.variables} readOnly={readOnly} onFill={onFill} />
            ) : null}
          </div>
          {draft.chosen.includes(finding.kind) ? (
            <span className="quiet">Added to the form</span>
          ) : (
            <QuietButton
              disabled={readOnly}
              onClick={() =>
                dispatch({ type: "discovered", discovery, chosen: [...draft.chosen, finding.kind] })
              }
            >
              Add to form
            </QuietButton>
          )}
        </li>
      ))}
    </ul>
  );
}

const isFailed = ({ outcome }: Discovery["looked"][number]): boolean => outcome === "failed";

function Offers({ finding: { offers, version } }: { finding: Finding }) {
  const said = [...offers, ...(version === undefined ? [] : [`version ${version}`])];
  return said.length === 0 ? null : <span className={`small soft ${styles.offers}`}>{said.join(", ")}</span>;
}

/** Lists every location that was checked, for publishers whose document was not found. */
function Looks({ discovery: { looked } }: { discovery: Discovery }) {
  return (
    <details className="small">
      <summary>Places checked ({looked.length})</summary>
      <ul className="anywhere">
        {looked.map(({ place, lookedFor, outcome, reason }) => (
          <li key={place + lookedFor}>
            {lookedFor}: <span className="mono">{place}</span>{" "}
            <span className="soft">
              {outcome === "found" ? "found" : outcome === "absent" ? "not found" : "couldn't be read"}
              {reason === undefined || outcome === "found" ? "" : `. ${reason}`}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Offers the DIDs that the service could have, each selectable with one click. */
function DidChoices({ discovery: { dids, findings } }: { discovery: Discovery }) {
  const { draft, dispatch, readOnly, follows } = useWizard();
  const present = canonicalDid(draft.did);
  if (follows || findings.length === 0 || dids.length === 0) return null;
  return (
    <div>
      <p>Choose the service's DID, its permanent identifier. Only its controller can register it.</p>
      <ul>
        {dids.map(({ did, why }) => (
          <li key={did} className={styles.finding}>
            <span className="anywhere small soft">{why}</span>
            {did === present ? (
              <span className="anywhere">
                <StatusMark outcome="pass" /> {did}
                <DidProof did={did} />
              </span>
            ) : (
              <Button
                variant="default"
                size="compact-sm"
                disabled={readOnly}
                onClick={() => dispatch({ type: "field", field: "did", value: did })}
              >
                Use {did}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Explains how to prove control of a DID before the proof is required. */
function DidProof({ did }: { did: string }) {
  const { state } = useDraftControl();
  if (state.kind === "holds") return null;
  const { name, method } = { ...getProvenSubject(did), ...parseDid(did) };
  return (
    <span className={`small soft ${styles.offers}`}>
      {method === "web"
        ? `To prove control, you publish a small file at ${name}. The next step prepares the file for your wallet.`
        : "To prove control, publish with the wallet that owns the contract."}
    </span>
  );
}

const shown = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

/** Lists fields that differ from the findings. User input stays unless the user selects the found value. */
function Differences({ discovery }: { discovery: Discovery }) {
  const { draft, dispatch, readOnly } = useWizard();
  const { metadata } = createProposal(discovery, draft.chosen);
  const { kept } = fillMetadata(draft.metadata, metadata);
  if (kept.length === 0) return null;
  return (
    <details className="small">
      <summary>
        {kept.length === 1 ? "1 field differs" : `${kept.length} fields differ`} from what was found
      </summary>
      <ul>
        {kept.map(({ pointer, found }) => (
          <li key={pointer} className={styles.finding}>
            <span className="anywhere">
              {fieldLabel(pointer)}: found <q className={styles.quote}>{shown(found)}</q>
            </span>
            <QuietButton disabled={readOnly} onClick={() => dispatch({ type: "set", pointer, value: found })}>
              Use this value
            </QuietButton>
          </li>
        ))}
      </ul>
    </details>
  );
}
