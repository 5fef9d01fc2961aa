import {
  createProposal,
  type Discovery,
  type Finding,
  type FindingKind,
  fillMetadata,
  getFindingKey,
} from "@app-registry/outbound/fill";
import { getAtPointer, isJsonObject } from "@app-registry/sdk";
import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import { StatusMark } from "../../../components/record/Problem.tsx";
import { QuietButton } from "../../wallet/WalletBar.tsx";
import { getChosenFinding } from "../draft/draft.ts";
import { fieldLabel } from "../draft/screens.ts";
import { useWizard } from "../WizardContext.tsx";
import { AddressVariables, type OnFill } from "./AddressVariables.tsx";
import { DidChoices } from "./dids.tsx";

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
    <section id={FOUND_ID} className="stack2" style={{ scrollMarginBlock: "16px 96px" }} aria-label="Results">
      {notes ? <p className="anywhere">{notes.join(" ")}</p> : null}
      {findings.length === 0 ? (
        <p role="status" className="anywhere">
          <StatusMark outcome="fail" /> No service was found. {notes ? null : looked[0]?.reason} Choose a type
          below and fill in the form.
        </p>
      ) : chosen ? null : (
        <p>Choose your service. A record describes one service.</p>
      )}
      <FoundList {...{ discovery, chosen, onFill }} />
      {chosen ? <OtherValues {...{ discovery, chosen }} /> : null}
      {findings.length === 0 ? null : <DidChoices dids={discovery.dids} />}
      <Looks looked={looked} />
    </section>
  );
}

type RowProps = { word: string; onUse?: (() => void) | undefined; children: ReactNode };

/** Row of a list with a button that uses its value, or with a word if the value is in use. */
function Row({ word, onUse, children }: RowProps) {
  const { readOnly } = useWizard();
  return (
    <li className="row apart">
      <span className="anywhere" style={{ flex: "1 1 280px" }}>
        {children}
      </span>
      {onUse ? (
        <QuietButton disabled={readOnly} onClick={onUse}>
          {word}
        </QuietButton>
      ) : (
        <span className="quiet">{word}</span>
      )}
    </li>
  );
}

function FoundList({ discovery, chosen, onFill }: FindingsProps & { chosen: Finding | undefined }) {
  const { dispatch, readOnly } = useWizard();
  const use = (finding: Finding) => () => dispatch({ type: "discovered", discovery, finding });
  return (
    <ul className="ruled" aria-label="Findings">
      {discovery.findings.map((finding) => (
        <Row
          key={getFindingKey(finding)}
          {...(finding === chosen
            ? { word: "Added to the form" }
            : { word: "Use this one", onUse: use(finding) })}
        >
          <strong>{kindNames[finding.kind]}</strong>{" "}
          {finding.metadata.name === undefined ? null : <q>{show(finding.metadata.name)}</q>}{" "}
          <span className="mono small">{finding.url}</span>
          {listDetails(finding).map((line) => (
            <span key={line} className="small soft" style={{ display: "block" }}>
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
  const { draft, dispatch } = useWizard();
  const { metadata, proposed, suggestions } = createProposal(discovery, chosen);
  const { different } = fillMetadata(draft.metadata, metadata);
  const own = different.flatMap(({ pointer, found: value }) =>
    proposed.includes(pointer) ? [] : [{ pointer, value, url: chosen.url }],
  );
  const offered = [...suggestions, ...own].filter(
    ({ pointer, value }) => getAtPointer(draft.metadata, pointer) !== value,
  );
  if (offered.length === 0) return null;
  return (
    <ul className="ruled small" aria-label="Suggestions">
      {offered.map(({ pointer, value, url }) => (
        <Row
          key={pointer + show(value)}
          word="Use this value"
          onUse={() => dispatch({ type: "set", pointer, value })}
        >
          {fieldLabel(pointer)}, from {url}:{" "}
          <Text component="q" inherit lineClamp={2}>
            {show(value)}
          </Text>
        </Row>
      ))}
    </ul>
  );
}
