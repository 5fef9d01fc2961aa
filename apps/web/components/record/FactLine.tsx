import { type Fact, visibleText } from "@app-registry/sdk";
import { type FactName, factTexts } from "@app-registry/sdk/internal";
import { Fragment, type ReactNode } from "react";
import { factAnchor, outcomeWords } from "../../lib/record/facts.ts";
import { shortHex, TimedText, TimeText } from "./labels.tsx";
import styles from "./record.module.css";
import { StatusMark } from "./StatusMark.tsx";

type FactLineProps = {
  name: FactName;
  fact: Fact;
  /** Word for a fact that is not due yet, instead of its outcome. */
  pending?: string | undefined;
  /** Action for the reader. */
  action?: ReactNode;
  /** Names that the operator gives to issuers. */
  names?: AccountNames | undefined;
};

/** Account names by checksummed address. */
export type AccountNames = Readonly<Record<string, string>>;

/** Renders a fact: its name, its outcome as mark and word, the reason, and the evidence in a fold. */
export function FactLine({ name, fact, pending, action, names = {} }: FactLineProps) {
  const { label, question } = factTexts[name];
  const problems = documentProblems(fact.evidence);
  const until = validUntil(fact);
  const evidence = Object.entries(fact.evidence).filter(([, value]) => value !== undefined);
  // Many services are never probed, so that a missing live check is no warning.
  const isUnchecked = name === "live" && fact.outcome === "unknown" && fact.evidence.error === undefined;
  const word = pending ?? (isUnchecked ? "Not checked" : undefined);
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
