"use client";

import {
  createProposal,
  type Discovery,
  type Finding,
  type FindingKind,
  fillMetadata,
  getFindingKey,
} from "@app-registry/outbound/fill";
import { getAtPointer, isJsonObject } from "@app-registry/sdk";
import { Radio } from "@mantine/core";
import { useQueries } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { StatusMark } from "../../../components/record/StatusMark.tsx";
import { QuietButton } from "../../wallet/WalletBar.tsx";
import { getChosenFinding } from "../draft/draft.ts";
import { canonicalDid } from "../draft/problems.ts";
import { fieldLabel } from "../draft/screens.ts";
import { inputLayout } from "../fields/Field.tsx";
import { useWizard } from "../WizardContext.tsx";
import { AddressVariables, type OnFill } from "./AddressVariables.tsx";
import { orderDids } from "./orderDids.ts";
import { RecordName, recordQuery } from "./RecordName.tsx";
import styles from "./source.module.css";

const kindNames: Record<FindingKind, string> = {
  ...{ metadata: "Service metadata", mcp: "MCP server", a2a: "A2A agent", contract: "Contract" },
  ...{ openapi: "API", erc8004: "ERC-8004 registration file", website: "Website" },
};

/** Element id to which the page scrolls after a search. */
export const FOUND_ID = "found";

type FindingsProps = { discovery: Discovery; onFill: OnFill };

/** Shows the findings, of which one fills in the form, and the DIDs that the service could have. */
export function Findings({ discovery, onFill }: FindingsProps) {
  const chosen = getChosenFinding(useWizard().draft);
  const { findings, looked, notes } = discovery;
  return (
    <section id={FOUND_ID} className={`stack2 ${styles.found}`} aria-label="Results">
      {notes ? <p className="anywhere">{notes.join(" ")}</p> : null}
      {findings.length === 0 ? (
        <p role="status" className="anywhere">
          <StatusMark outcome="fail" /> No service was found. {notes ? null : looked[0]?.reason} Choose a type
          below and fill in the form.
        </p>
      ) : null}
      {findings.length === 0 || chosen ? null : <p>Choose your service. A record describes one service.</p>}
      <FoundList {...{ discovery, chosen, onFill }} />
      {chosen ? <OtherValues {...{ discovery, chosen }} /> : null}
      {findings.length === 0 ? null : <DidChoices dids={discovery.dids} />}
      <Looks looked={looked} />
    </section>
  );
}

/** Row of a list, with what a user can do with it. */
function Row({ action, children }: { action: ReactNode; children: ReactNode }) {
  return (
    <li className={styles.finding}>
      <span className="anywhere">{children}</span>
      {action}
    </li>
  );
}

function FoundList({ discovery, chosen, onFill }: FindingsProps & { chosen: Finding | undefined }) {
  const { dispatch, readOnly } = useWizard();
  const use = (finding: Finding) => () => dispatch({ type: "discovered", discovery, finding });
  return (
    <ul className="stack" aria-label="Findings">
      {discovery.findings.map((finding) => (
        <Row
          key={getFindingKey(finding)}
          action={
            finding === chosen ? (
              <span className="quiet">Added to the form</span>
            ) : (
              <QuietButton disabled={readOnly} onClick={use(finding)}>
                Use this one
              </QuietButton>
            )
          }
        >
          <strong>{kindNames[finding.kind]}</strong>{" "}
          {finding.metadata.name === undefined ? null : <q>{show(finding.metadata.name)}</q>}{" "}
          <span className="mono small">{finding.url}</span>
          {listDetails(finding).map((line) => (
            <span key={line} className={`small soft ${styles.offers}`}>
              {line}
            </span>
          ))}
          {finding.variables ? (
            <AddressVariables variables={finding.variables} readOnly={readOnly} onFill={onFill} />
          ) : null}
        </Row>
      ))}
    </ul>
  );
}

function listDetails({ identifier = "", offers, version, notes = [] }: Finding): string[] {
  const said = [...offers, ...(version === undefined ? [] : [`version ${version}`])].join(", ");
  return [identifier, said, ...notes].filter((line) => line !== "");
}

const outcomes = { found: "found", absent: "not found", failed: "couldn't be read" };

/** Lists every location that was checked, for publishers whose document was not found. */
function Looks({ looked }: Pick<Discovery, "looked">) {
  return (
    <details className="small">
      <summary>Places checked ({looked.length})</summary>
      <ul className="anywhere">
        {looked.map(({ place, lookedFor, outcome, reason }) => (
          <li key={place + lookedFor}>
            {lookedFor}: <span className="mono">{place}</span>{" "}
            <span className="soft">{[outcomes[outcome], ...(reason ? [reason] : [])].join(". ")}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Offers the DIDs that the service could have, the safest first. */
function DidChoices({ dids }: Pick<Discovery, "dids">) {
  const { draft, dispatch, readOnly, follows } = useWizard();
  const present = canonicalDid(draft.did);
  const records = useQueries({ queries: dids.map(({ did }) => recordQuery(did)) });
  const isSettled = records.every(({ isPending }) => !isPending);
  if (follows || dids.length === 0) return null;
  const endpoints = getChosenFinding(draft)?.metadata.endpoints;
  const choices = orderDids(
    dids.map((choice, index) => ({ ...choice, record: records[index]?.data })),
    (Array.isArray(endpoints) ? endpoints : []).map((entry) => isJsonObject(entry) && entry.endpoint),
  );
  return (
    <Radio.Group
      label={`${dids.length === 1 ? "This is" : "Choose"} the service's DID, its permanent identifier. Only its controller can register it.`}
      value={present ?? ""}
      onChange={(value) => dispatch({ type: "field", field: "did", value })}
      classNames={{ label: inputLayout.classNames.label }}
    >
      <div className="stack">
        {choices.map(({ did, why, record }, index) => (
          <Radio
            key={did}
            value={did}
            disabled={readOnly}
            label={
              <span className="anywhere">
                {did}
                {isSettled && index === 0 && choices.length > 1 && !record ? (
                  <strong> · recommended</strong>
                ) : null}
              </span>
            }
            description={
              <>
                {why} {record === null ? "Not registered yet." : null}
                {record ? (
                  <>
                    <strong>Already registered.</strong> You would publish a new version of{" "}
                    <RecordName did={did} />.
                  </>
                ) : null}
              </>
            }
          />
        ))}
      </div>
    </Radio.Group>
  );
}

/** Formats a value. Lists tools by name: their definitions would fill the screen. */
function show(value: unknown): string {
  if (Array.isArray(value)) return value.map(show).join(", ");
  if (isJsonObject(value) && typeof value.name === "string") return value.name;
  return typeof value === "string" ? value : JSON.stringify(value);
}

/**
 * Offers texts of other findings for fields that the chosen one lacks, and its own values for fields in which the user
 * wrote something else. User input stays unless the user selects another value.
 */
function OtherValues({ discovery, chosen }: { discovery: Discovery; chosen: Finding }) {
  const { draft, dispatch, readOnly } = useWizard();
  const { metadata, proposed, suggestions } = createProposal(discovery, chosen);
  const { different } = fillMetadata(draft.metadata, metadata);
  const own = different.filter(({ pointer }) => !proposed.includes(pointer));
  const values = [
    ...suggestions,
    ...own.map(({ pointer, found }) => ({ pointer, value: found, url: chosen.url })),
  ];
  const offered = values.filter(({ pointer, value }) => getAtPointer(draft.metadata, pointer) !== value);
  if (offered.length === 0) return null;
  return (
    <ul className="small" aria-label="Suggestions">
      {offered.map(({ pointer, value, url }) => (
        <Row
          key={pointer + show(value)}
          action={
            <QuietButton disabled={readOnly} onClick={() => dispatch({ type: "set", pointer, value })}>
              Use this value
            </QuietButton>
          }
        >
          {fieldLabel(pointer)}, from {url}: <q className={styles.quote}>{show(value)}</q>
        </Row>
      ))}
    </ul>
  );
}
