import type { ReactNode } from "react";
import styles from "./record.module.css";

/** Outcome of a check. `unknown` means that a host or an RPC did not respond. */
export type Outcome = "pass" | "fail" | "unknown";

/** A checked fact. */
export type FactView = {
  outcome: Outcome;
  /** Reason for the outcome, in one sentence. */
  reason: string;
  /** Names and values behind the outcome. */
  evidence?: Record<string, unknown>;
};

/** Facts that follow from the chain and the registered document. */
export const chainFactNames = ["record", "control", "content", "attested", "origin"] as const;

type ChainFactName = (typeof chainFactNames)[number];

/** All facts in display order. They are never merged into a score. */
export const factNames = [...chainFactNames, "live"] as const;

export type FactName = (typeof factNames)[number];

/** Facts of a report. *live* is missing if the result of the live check could not be read. */
export type FactViews = Record<ChainFactName, FactView> & { live?: FactView };

/** Returns the facts of a report, each with its name. */
export const namedFacts = (facts: FactViews): { name: FactName; fact: FactView }[] =>
  factNames.flatMap((name) => {
    const fact = facts[name];
    return fact === undefined ? [] : [{ name, fact }];
  });

/**
 * Returns true if a host or the chain did not respond, so that another check may help. Ignores *live*, which has its
 * own schedule.
 */
export const isIncomplete = ({ live: _, ...facts }: FactViews): boolean =>
  Object.values(facts).some(({ outcome }) => outcome === "unknown");

/** Label of each fact, the question that it answers, and the words in a list if it fails. */
export const factTexts: Record<FactName, { label: string; question: string; fails: string }> = {
  record: {
    label: "Record",
    question: "Is this version registered, and is its record Active?",
    fails: "not Active",
  },
  control: {
    label: "Control",
    question: "Does the record's minter or holder control the DID now?",
    fails: "not currently proven",
  },
  content: {
    label: "Content",
    question: "Does the metadata match the registered hash?",
    fails: "doesn't match the record",
  },
  attested: {
    label: "Attested",
    question: "Does an issuer currently attest this dataHash?",
    fails: "no live attestation",
  },
  origin: {
    label: "Origin",
    question:
      "Do all addresses used to reach the service lead to what is proven, or to another host of the same controller?",
    fails: "address not proven",
  },
  live: {
    label: "Live",
    question:
      "At this registry's last check, did it respond, with no difference from the registered version?",
    fails: "failed the last check",
  },
};

/** Word for each outcome. */
export const outcomeWords: Record<Outcome, string> = { pass: "Pass", fail: "Fail", unknown: "Unknown" };

type StatusMarkProps = {
  outcome: Outcome;
  /** Checked fact, such as "Control". Without it, the mark is decorative. */
  name?: string;
  /** Uses the text color. */
  quiet?: boolean;
};

/** Shape of each outcome, so that color is not the only difference: a disc, a diamond and a broken ring. */
const shapes: Record<Outcome, ReactNode> = {
  pass: (
    <>
      <circle cx="8" cy="8" r="7" fill="currentColor" />
      <path d="M4.8 8.3l2.2 2.2 4.3-4.8" fill="none" stroke="var(--paper)" strokeWidth={1.8} />
    </>
  ),
  fail: (
    <>
      <path d="M8 .6L15.4 8 8 15.4.6 8z" fill="currentColor" />
      <path d="M5.8 5.8l4.4 4.4m0-4.4l-4.4 4.4" fill="none" stroke="var(--paper)" strokeWidth={1.8} />
    </>
  ),
  unknown: (
    <>
      <circle
        cx="8"
        cy="8"
        r="6.4"
        fill="none"
        stroke="currentColor"
        strokeWidth={1.3}
        strokeDasharray="3.2 1.827"
      />
      <path
        d="M6.2 6.5c.1-1.1.8-1.8 1.9-1.8s1.8.7 1.8 1.6c0 1.3-1.8 1.4-1.8 2.7"
        fill="none"
        stroke="currentColor"
        strokeWidth={1.4}
        strokeLinecap="round"
      />
      <circle cx="8.1" cy="11.2" r=".9" fill="currentColor" />
    </>
  ),
};

/** Renders the mark of an outcome. With a name, its alternative text is "Control: pass". */
export function StatusMark({ outcome, name, quiet = false }: StatusMarkProps) {
  const drawing = {
    className: styles.mark,
    style: { color: quiet ? "var(--ink-3)" : `var(--${outcome})` },
    viewBox: "0 0 16 16",
    width: 16,
    height: 16,
  };
  if (name === undefined) {
    return (
      <svg {...drawing} aria-hidden="true">
        {shapes[outcome]}
      </svg>
    );
  }
  const label = `${name}: ${outcomeWords[outcome].toLowerCase()}`;
  return (
    <svg {...drawing} role="img" aria-label={label}>
      <title>{label}</title>
      {shapes[outcome]}
    </svg>
  );
}
