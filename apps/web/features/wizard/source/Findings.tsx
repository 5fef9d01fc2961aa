"use client";

import {
  createProposal,
  type Discovery,
  type Finding,
  type FindingKind,
  fillMetadata,
  getFindingKey,
} from "@app-registry/outbound/fill";
import { getAtPointer, getProvenSubject, isJsonObject, type JsonValue, parseDid } from "@app-registry/sdk";
import { Button } from "@mantine/core";
import { StatusMark } from "../../../components/record/StatusMark.tsx";
import { QuietButton } from "../../wallet/WalletBar.tsx";
import { useDraftControl } from "../control/ControlContext.tsx";
import { getChosenFinding } from "../draft/draft.ts";
import { canonicalDid } from "../draft/problems.ts";
import { fieldLabel } from "../draft/screens.ts";
import { useWizard } from "../WizardContext.tsx";
import { AddressVariables, type OnFill } from "./AddressVariables.tsx";
import styles from "./source.module.css";

const kindNames: Record<FindingKind, string> = {
  metadata: "Service metadata",
  mcp: "MCP server",
  a2a: "A2A agent",
  openapi: "API with an OpenAPI document",
  erc8004: "ERC-8004 registration file",
  contract: "Contract",
  website: "Website",
};

/** Element id to which the page scrolls after a search. */
export const FOUND_ID = "found";

type FindingsProps = { discovery: Discovery; onFill: OnFill };

/** Shows the findings, of which one fills in the form, and the DIDs that the service could have. */
export function Findings({ discovery, onFill }: FindingsProps) {
  return (
    <section id={FOUND_ID} className={`stack2 ${styles.found}`} aria-label="Results">
      {discovery.notes ? <p className="anywhere">{discovery.notes.join(" ")}</p> : null}
      <FoundList discovery={discovery} onFill={onFill} />
      <OtherValues discovery={discovery} />
      <DidChoices discovery={discovery} />
      <Looks discovery={discovery} />
    </section>
  );
}

function FoundList({ discovery, onFill }: FindingsProps) {
  const { draft, dispatch, readOnly } = useWizard();
  const { findings, looked, notes } = discovery;
  if (findings.length === 0 && looked.length > 0 && looked.every(isFailed)) {
    return (
      <p role="status" className="anywhere">
        <StatusMark outcome="fail" /> Couldn't reach this address. {looked[0]?.reason}
      </p>
    );
  }
  if (findings.length === 0) {
    return (
      <p role="status">
        <StatusMark outcome="unknown" />{" "}
        {notes ? "No service was found." : "The address responds, but nothing there describes a service."}{" "}
        Choose a type below and fill in the form.
      </p>
    );
  }
  const chosen = getChosenFinding(draft);
  return (
    <>
      {chosen ? null : <p>Choose your service. A record describes one service.</p>}
      <ul className="stack" aria-label="Findings">
        {findings.map((finding) => (
          <li key={getFindingKey(finding)} className={styles.finding}>
            <span className="anywhere">
              <strong>{kindNames[finding.kind]}</strong>{" "}
              {finding.metadata.name === undefined ? null : <q>{shown(finding.metadata.name)}</q>}{" "}
              <span className="mono small">{finding.url}</span>
              <Details finding={finding} />
            </span>
            {finding === chosen ? (
              <span className="quiet">Added to the form</span>
            ) : (
              <QuietButton
                disabled={readOnly}
                onClick={() => dispatch({ type: "discovered", discovery, finding })}
              >
                Use this one
              </QuietButton>
            )}
            {finding.variables ? (
              <AddressVariables variables={finding.variables} readOnly={readOnly} onFill={onFill} />
            ) : null}
          </li>
        ))}
      </ul>
    </>
  );
}

const isFailed = ({ outcome }: Discovery["looked"][number]): boolean => outcome === "failed";

function Details({ finding: { identifier, offers, version, notes = [] } }: { finding: Finding }) {
  const said = [...offers, ...(version === undefined ? [] : [`version ${version}`])];
  const lines = [...(identifier === undefined ? [] : [identifier]), said.join(", "), ...notes];
  return lines
    .filter((line) => line !== "")
    .map((line) => (
      <span key={line} className={`small soft ${styles.offers}`}>
        {line}
      </span>
    ));
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

const shown = (value: unknown): string =>
  typeof value === "string" ? value : Array.isArray(value) ? listNames(value) : JSON.stringify(value);

/** Lists tools by name: their definitions would fill the screen. */
const listNames = (list: unknown[]): string =>
  list.map((item) => (isJsonObject(item) && "name" in item ? item.name : JSON.stringify(item))).join(", ");

/**
 * Offers texts of other findings for fields that the chosen one lacks, and lists fields that differ from it. User input
 * stays unless the user selects another value.
 */
function OtherValues({ discovery }: { discovery: Discovery }) {
  const { draft } = useWizard();
  const finding = getChosenFinding(draft);
  if (finding === undefined) return null;
  const { metadata, proposed, suggestions } = createProposal(discovery, finding);
  const offered = suggestions.filter(({ pointer, value }) => getAtPointer(draft.metadata, pointer) !== value);
  const filled = fillMetadata(draft.metadata, metadata);
  const different = filled.different.filter(({ pointer }) => !proposed.includes(pointer));
  return (
    <>
      {offered.length === 0 ? null : <ValueList label="Suggestions" values={offered} />}
      {different.length === 0 ? null : (
        <details className="small">
          <summary>
            {different.length === 1 ? "1 field differs" : `${different.length} fields differ`} from what was
            found
          </summary>
          <ValueList values={different.map(({ pointer, found }) => ({ pointer, value: found }))} />
        </details>
      )}
    </>
  );
}

type OtherValue = { pointer: string; value: JsonValue; url?: string };

function ValueList({ label, values }: { label?: string; values: readonly OtherValue[] }) {
  const { dispatch, readOnly } = useWizard();
  return (
    <ul className="small" aria-label={label}>
      {values.map(({ pointer, value, url }) => (
        <li key={pointer + shown(value)} className={styles.finding}>
          <span className="anywhere">
            {fieldLabel(pointer)}: <q className={styles.quote}>{shown(value)}</q>
            {url === undefined ? null : `, from ${url}`}
          </span>
          <QuietButton disabled={readOnly} onClick={() => dispatch({ type: "set", pointer, value })}>
            Use this value
          </QuietButton>
        </li>
      ))}
    </ul>
  );
}
