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

/** Id of a fact's line on a page. */
export const factAnchor = (name: FactName): string => `fact-${name}`;

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
    question: "Does the record's holder, or a minter with a part in it, control the DID now?",
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

/**
 * Appearance of services in the formats of others, by the outcome of *control*: whether a catalog under the DID's host may
 * list them, and their status in the MCP registry's API, with the message for its readers.
 */
export const outwardStates: Record<
  Outcome,
  { isListed: boolean; mcpStatus: "active" | "deprecated"; message?: string }
> = {
  pass: { isListed: true, mcpStatus: "active" },
  unknown: { isListed: false, mcpStatus: "active" },
  fail: {
    isListed: false,
    mcpStatus: "deprecated",
    message: "No controller of the DID stands behind this record: control is not currently proven.",
  },
};

/** Word for each outcome. */
export const outcomeWords: Record<Outcome, string> = { pass: "Pass", fail: "Fail", unknown: "Unknown" };
