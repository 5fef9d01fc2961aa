import type { ReactNode } from "react";
import styles from "./record.module.css";

/** What a check found. `unknown` means that a host or an RPC did not answer: neither pass nor fail. */
export type Outcome = "pass" | "fail" | "unknown";

/** One checked fact as the pages show it. */
export type FactView = {
  outcome: Outcome;
  /** One sentence: why this outcome. */
  reason: string;
  /** Names and values that the outcome rests on. */
  evidence?: Record<string, unknown>;
};

/** The facts that follow from the chain and the registered document. */
export const chainFactNames = ["record", "control", "content", "attested", "origin"] as const;

type ChainFactName = (typeof chainFactNames)[number];

/** All facts in the order in which they stand everywhere. They are never merged into a score. */
export const factNames = [...chainFactNames, "live"] as const;

export type FactName = (typeof factNames)[number];

/** The facts of a report; *live* only where the prober's answer is at hand. */
export type FactViews = Record<ChainFactName, FactView> & { live?: FactView };

/** The facts that a report has, each with its name. */
export const namedFacts = (facts: FactViews): { name: FactName; fact: FactView }[] =>
  factNames.flatMap((name) => {
    const fact = facts[name];
    return fact === undefined ? [] : [{ name, fact }];
  });

/** Whether a host or the chain did not answer, so that it may help to check again. The prober asks when it is its turn. */
export const isIncomplete = ({ live: _, ...facts }: FactViews): boolean =>
  Object.values(facts).some(({ outcome }) => outcome === "unknown");

/** A fact's name, the question that it answers, and what a list says of one that fails, in a few words. */
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

/** The word for an outcome. */
export const outcomeWords: Record<Outcome, string> = { pass: "Pass", fail: "Fail", unknown: "Unknown" };

type StatusMarkProps = {
  outcome: Outcome;
  /** Names what was checked, e.g. "Control"; without it the mark is decoration beside a word. */
  name?: string;
  /** Drawn in ink: beside a word that says little. */
  quiet?: boolean;
};

/** Each outcome has a shape of its own: a disc, a diamond and a broken ring, so that colour is never alone. */
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

/** The mark of one outcome. With a name it is an image that says "Control: pass". */
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
