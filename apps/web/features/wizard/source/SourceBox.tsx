import {
  createProposal,
  type Discovery,
  type Finding,
  type FindingKind,
  fillMetadata,
  getFindingKey,
} from "@app-registry/outbound/fill";
import { getAtPointer, isJsonObject, toAppRegistryError } from "@app-registry/sdk";
import { requestJson } from "@app-registry/sdk/internal";
import { Button, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useEffect, useLayoutEffect, useRef } from "react";
import { z } from "zod/mini";
import { Problem, StatusMark } from "../../../components/record/Problem.tsx";
import { QuietButton } from "../../wallet/WalletBar.tsx";
import { getChosenFinding } from "../draft/draft.ts";
import { fieldLabel } from "../draft/screens.ts";
import { Group } from "../fields/Fields.tsx";
import { useWizard } from "../WizardContext.tsx";
import { AddressVariables, type OnFill } from "./AddressVariables.tsx";
import { DidChoices } from "./dids.tsx";
import { addressTexts, type EnteredAddress, takeEnteredAddress } from "./FirstScreen.tsx";

/** Time limit in milliseconds, long because the registry itself waits for the service. */
const TIMEOUT = 60_000;

/** Renders the input for the service's address, from which the form is filled in. */
export function SourceBox({ kind }: { kind: FindingKind | undefined }) {
  const { draft, dispatch, readOnly, follows } = useWizard();
  const source = draft.source.trim();
  const registry = { baseUrl: location.origin, timeoutMs: TIMEOUT };
  const box = useRef<HTMLInputElement>(null);
  const reading = useMutation({
    mutationFn: (inquiry: { input: string; variables?: Record<string, string> }) =>
      requestJson(registry, "/api/import", z.custom<Discovery>(), { ...inquiry, kind }),
    onSuccess: (discovery) => {
      const [first] = discovery.findings;
      const isAgain = discovery.input === draft.discovery?.input;
      const same = isAgain ? getChosenFinding({ ...draft, discovery }) : undefined;
      const finding = same ?? (discovery.needsChoice ? undefined : first);
      dispatch({ type: "discovered", discovery, finding });
      // The results may be below the fold or under the bottom bar of a phone.
      requestAnimationFrame(() => document.getElementById(FOUND_ID)?.scrollIntoView({ block: "nearest" }));
    },
  });
  const entered = useRef<EnteredAddress>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the field appears
  useLayoutEffect(() => {
    entered.current = takeEnteredAddress();
    const { text = "", isSubmitted = false } = entered.current ?? {};
    if (text.trim() === "") return;
    dispatch({ type: "field", field: "source", value: text });
    if (isSubmitted) reading.mutate({ input: text.trim() });
  }, []);
  useEffect(() => {
    const isEmpty = box.current?.value === "";
    // Focus the empty input so that the user can paste, but never steal the focus from another element.
    if ((isEmpty || entered.current?.selection) && document.activeElement === document.body)
      box.current?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    const { text, selection } = entered.current ?? {};
    if (!selection || draft.source !== text) return;
    entered.current = undefined;
    box.current?.setSelectionRange(...selection);
  }, [draft.source]);
  return (
    <Group
      title={follows ? "Update from your service" : addressTexts.title}
      help={
        follows
          ? "The registry reads the service again and fills in what changed. Text that you wrote yourself is kept."
          : addressTexts.help
      }
    >
      <form
        className="bar"
        style={{ alignItems: "end" }}
        onSubmit={(event) => {
          event.preventDefault();
          if (source !== "" && !reading.isPending && !readOnly) reading.mutate({ input: source });
        }}
      >
        <TextInput
          ref={box}
          label={addressTexts.label}
          placeholder={addressTexts.placeholder}
          value={draft.source}
          disabled={readOnly}
          readOnly={reading.isPending}
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          className="grow"
          classNames={{ input: "mono small" }}
          onChange={({ currentTarget: { value } }) => dispatch({ type: "field", field: "source", value })}
        />
        <Button type="submit" loading={reading.isPending} disabled={source === "" || readOnly}>
          Find service
        </Button>
      </form>
      <p aria-live="polite" className="soft small">
        {reading.isPending ? `Checking ${reading.variables.input} and well-known locations…` : null}
        {reading.data?.findings.length
          ? reading.data.findings.length === 1
            ? "Found 1 interface."
            : `Found ${reading.data.findings.length} interfaces.`
          : null}
      </p>
      {reading.isError ? (
        <Problem
          level={3}
          title="Couldn't check this address"
          why={toAppRegistryError(reading.error).shortMessage}
          action="You can also choose a type of service below and fill in the form yourself."
        />
      ) : draft.discovery && !reading.isPending ? (
        <Findings
          discovery={draft.discovery}
          onFill={(variables) => reading.mutate({ input: draft.discovery?.input ?? source, variables })}
        />
      ) : null}
    </Group>
  );
}

const kindNames: Record<FindingKind, string> = {
  ...{ metadata: "Service metadata", mcp: "MCP server", a2a: "A2A agent", contract: "Contract" },
  ...{ openapi: "API", erc8004: "ERC-8004 registration file", website: "Website" },
};

/** Element id to which the page scrolls after a search. */
const FOUND_ID = "found";

type FindingsProps = { discovery: Discovery; onFill: OnFill };

/** Shows the findings, of which one fills in the form, and the DIDs that the service could have. */
function Findings({ discovery, onFill }: FindingsProps) {
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
