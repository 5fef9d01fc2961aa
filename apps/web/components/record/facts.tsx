import {
  appStatusLabels,
  type Fact,
  type LiveStatus,
  type SearchResult,
  type VerificationReport,
  visibleText,
} from "@app-registry/sdk";
import {
  type FactName,
  type FactOutcomes,
  factNames,
  factTexts,
  liveFailures,
  summarizeFacts,
} from "@app-registry/sdk/internal";
import { Fragment, type ReactNode } from "react";
import { outcomeWords } from "../../lib/record/facts.ts";
import { dayText } from "../../lib/record/times.ts";
import { shortHex, TimedText, TimeText } from "./labels.tsx";
import { StatusMark } from "./Problem.tsx";
import styles from "./record.module.css";

type FactLineProps = {
  name: FactName;
  fact: Fact;
  /** The fact can only be checked after publishing. */
  isPending: boolean;
  /** Action for the reader. */
  action?: ReactNode;
  /** Names that the operator gives to issuers. */
  names?: AccountNames | undefined;
};

/** Account names by checksummed address. */
export type AccountNames = Readonly<Record<string, string>>;

type FactListProps = {
  facts: VerificationReport["facts"];
  /** Name of the list for screen readers. */
  label?: string;
  /** Facts that can only be checked after publishing. */
  pending?: object;
  /** Action for the reader below *live*. */
  liveAction?: ReactNode;
  /** Names that the operator gives to issuers. */
  names?: AccountNames;
};

/** Lists the facts of a report in their order. */
export const FactList = ({ facts, label, pending = {}, liveAction, names }: FactListProps) => (
  <ul aria-label={label}>
    {factNames.map((name) => {
      const fact = facts[name];
      if (fact === undefined) return null;
      const action = name === "live" ? liveAction : undefined;
      return <FactLine key={name} {...{ name, fact, action, names }} isPending={name in pending} />;
    })}
  </ul>
);

/** Renders a fact: its name, its outcome as mark and word, the reason, and the evidence in a fold. */
function FactLine({ name, fact, isPending, action, names = {} }: FactLineProps) {
  const { label, question } = factTexts[name];
  const problems = documentProblems(fact.evidence);
  const until = validUntil(fact);
  const evidence = Object.entries(fact.evidence).filter(([, value]) => value !== undefined);
  // Many services are never probed, so that a missing live check is no warning.
  const isUnchecked = name === "live" && fact.outcome === "unknown" && fact.evidence.error === undefined;
  const word = isPending ? "After publishing" : isUnchecked ? "Not checked" : undefined;
  const color = word === undefined ? `var(--${fact.outcome})` : "var(--ink-3)";
  return (
    <li className={styles.fact} id={factAnchor(name)} data-fact={name} data-outcome={fact.outcome}>
      <p className="bar">
        <StatusMark outcome={fact.outcome} color={color} />
        <span className="strong">{label}</span>
        <span className="small strong" style={{ color, marginLeft: "auto" }}>
          {word ?? outcomeWords[fact.outcome]}
        </span>
      </p>
      <p className="quiet">{question}</p>
      <div className="soft anywhere">
        {problems.length > 0 ? (
          <ProblemList problems={problems} />
        ) : (
          <ReasonText text={fact.reason} names={names} />
        )}
      </div>
      {until === undefined ? null : (
        <p className="soft" data-until>
          Valid until <TimeText seconds={until} dateOnly />
        </p>
      )}
      {action === undefined ? null : <div className="soft">{action}</div>}
      {evidence.length === 0 ? null : (
        <details className="fold">
          <summary>Evidence</summary>
          <EvidenceList evidence={Object.fromEntries(evidence)} names={names} />
        </details>
      )}
    </li>
  );
}

/**
 * Returns the expiry of the attestation behind a passing fact, in Unix seconds. Returns `undefined` if the reason already
 * gives it.
 */
function validUntil({ outcome, reason, evidence }: Fact): number | undefined {
  const expiresAt = evidence.expiresAt;
  if (outcome !== "pass" || typeof expiresAt !== "number") return undefined;
  const [date = ""] = new Date(expiresAt * 1_000).toISOString().split("T");
  return reason.includes(`valid until ${date}`) ? undefined : expiresAt;
}

/** Id of a fact's line on a page. */
const factAnchor = (name: FactName): string => `fact-${name}`;

/** Maximum nesting of evidence. Deeper values are shown as JSON. */
const MAX_DEPTH = 3;

type EvidenceListProps = {
  /** Names and values. Numbers under names that end in "At" or "From" are Unix seconds. */
  evidence: Record<string, unknown>;
  names: AccountNames;
  depth?: number;
  className?: string;
};

/** Splits a camel-case key into words: `expectedHash` becomes "expected hash". */
function words(key: string): string {
  return key.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
}

function asJson(value: unknown): string {
  return JSON.stringify(value, (_, item) => (typeof item === "bigint" ? item.toString() : item)) ?? "none";
}

type ValueProps = { name: string; value: unknown; names: AccountNames; depth: number };

function renderValue({ name, value, names, depth }: ValueProps): ReactNode {
  if (value === null || value === undefined || value === "") return "none";
  if (typeof value === "object" && Object.keys(value).length === 0) return "none";
  if (typeof value === "number" && /(At|From)$/.test(name) && value > 0) return <TimeText seconds={value} />;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value !== "object") {
    const text = visibleText(String(value));
    // A publisher may choose a text such as `constructor`, which every object has.
    return Object.hasOwn(names, text) ? `${names[text]} ${text}` : text;
  }
  if (depth >= MAX_DEPTH) return visibleText(asJson(value));
  if (!Array.isArray(value))
    return (
      <EvidenceList
        evidence={value as Record<string, unknown>}
        names={names}
        depth={depth + 1}
        className={name && "inset"}
      />
    );
  return (
    <ul className="ruled inset">
      {value.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: evidence has no identity and never changes
        <li key={index}>{renderValue({ name: "", value: item, names, depth })}</li>
      ))}
    </ul>
  );
}

/** Renders the values behind an outcome. */
function EvidenceList({ evidence, names, depth = 0, className = "" }: EvidenceListProps) {
  return (
    <dl className={`terms ${styles.evidence} ${className}`}>
      {Object.entries(evidence).flatMap(([name, value]) => [
        <dt key={name}>{words(name)}</dt>,
        <dd key={`${name}:`} className="mono">
          {renderValue({ name, value, names, depth })}
        </dd>,
      ])}
    </dl>
  );
}

/** A rule that a document breaks, with its place. */
type DocumentProblem = { pointer: string; message: string };

/** Maximum number of problems in the line. The evidence has all. */
const SHOWN = 4;

function isProblem(value: unknown): value is DocumentProblem {
  const { pointer, message } = (value ?? {}) as Record<string, unknown>;
  return typeof pointer === "string" && typeof message === "string";
}

/** Reads the problems from a fact's evidence. Returns an empty list if it has none. */
function documentProblems({ problems }: Fact["evidence"]): DocumentProblem[] {
  return Array.isArray(problems) ? problems.filter(isProblem) : [];
}

/** Renders the problems of a document. */
function ProblemList({ problems }: { problems: DocumentProblem[] }) {
  return (
    <ul className="stack">
      {problems.slice(0, SHOWN).map(({ pointer, message }) => (
        <li key={`${pointer} ${message}`}>
          {pointer === "" ? null : <code className="anywhere">{visibleText(pointer)}</code>}{" "}
          <bdi>{visibleText(message)}</bdi>
        </li>
      ))}
      {problems.length > SHOWN ? <li>{problems.length - SHOWN} more under Evidence.</li> : null}
    </ul>
  );
}

/** Renders a sentence of the SDK with shortened hashes, account names and formatted times. */
export const ReasonText = ({ text, names = {} }: { text: string; names?: AccountNames }) => (
  <bdi>
    {visibleText(text)
      .split(/(0x[0-9a-fA-F]{40,64}\b)/)
      .map((part, index) => {
        const key = `${index}-${part}`;
        if (index % 2 === 0) return <TimedText key={key} text={part} />;
        return (
          <Fragment key={key}>
            {names[part] === undefined ? null : <bdi>{names[part]} </bdi>}
            <code title={part}>{shortHex(part)}</code>
          </Fragment>
        );
      })}
  </bdi>
);

type FactMarksProps = {
  outcomes: FactOutcomes;
  /** Sentence of `summarizeFacts`. */
  summary: string;
  /** Names each mark and links it to the fact's line on the page. */
  isLinked?: boolean;
  /** Facts whose outcome was not checked now. Their marks and the sentence have no color. */
  lastKnown?: readonly FactName[];
};

/** Renders the six marks, always in the same order, with the sentence that sums them up. */
export function FactMarks({ outcomes, summary, isLinked = false, lastKnown = [] }: FactMarksProps) {
  return (
    <div className="soft" data-fact-marks>
      <ul className={styles.six} aria-label="Facts">
        {factNames.map((name) => {
          const outcome = outcomes[name] ?? "unknown";
          const { label } = factTexts[name];
          // Many services are never probed, so that a missing live check is no warning.
          const isUnchecked = name === "live" && outcome === "unknown";
          const word = isUnchecked ? "not checked" : outcomeWords[outcome].toLowerCase();
          const color = isUnchecked || lastKnown.includes(name) ? "var(--ink-3)" : undefined;
          return (
            <li key={name} data-outcome={outcome}>
              {isLinked ? (
                <a className="plain" href={`#${factAnchor(name)}`}>
                  <StatusMark outcome={outcome} color={color} /> {label}
                  <span className="visuallyHidden">: {word}</span>
                </a>
              ) : (
                <StatusMark outcome={outcome} color={color} label={`${label}: ${word}`} />
              )}
            </li>
          );
        })}
      </ul>
      <p>
        {summary.split(/(?<=\. )/).map((sentence) => (
          <span
            key={sentence}
            className={lastKnown.length === 0 && sentence.includes(" fails: ") ? styles.failing : undefined}
          >
            {sentence}
          </span>
        ))}
      </p>
    </div>
  );
}

type RowFactsProps = {
  /** Outcomes that are known. */
  outcomes: FactOutcomes;
  result: Pick<SearchResult, "status" | "live">;
  isLastKnown?: boolean;
};

/** Shows the six marks of a row, and says which facts fail or are unknown. */
export function RowFacts({ outcomes, result: { status, live }, isLastKnown = false }: RowFactsProps) {
  const reasons = {
    record: status === 0 ? undefined : appStatusLabels[status],
    live: outcomes.live === "fail" && live !== undefined ? formatDeadSince(live) : undefined,
  };
  const summary = summarizeFacts(outcomes, reasons);
  return <FactMarks outcomes={outcomes} summary={summary} lastKnown={isLastKnown ? factNames : []} />;
}

/** Describes a failed live check: "unreachable since 21 Nov 2026". */
function formatDeadSince({ outcome, answeredAt }: LiveStatus): string {
  const words = liveFailures[outcome];
  if (outcome === "answers" || outcome === "gated") return words;
  if (answeredAt !== null) return `${words} since ${dayText(new Date(answeredAt * 1_000))}`;
  return outcome === "unreachable" ? `${words}, never responded` : words;
}
