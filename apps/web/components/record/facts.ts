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

/** The five facts in the order in which they stand everywhere. They are never merged into a score. */
export const factNames = ["record", "control", "content", "attested", "requirements"] as const;

export type FactName = (typeof factNames)[number];

/** A fact's name and the question that it answers. */
export const factTexts: Record<FactName, { label: string; question: string }> = {
  record: { label: "Record", question: "Does the registry hold this version, and is it in use?" },
  control: { label: "Control", question: "Does its minter or holder control the DID now?" },
  content: { label: "Content", question: "Does the metadata hash to what was recorded?" },
  attested: { label: "Attested", question: "Has an issuer attested this dataHash?" },
  requirements: { label: "Requirements", question: "Does the metadata hold what its interfaces require?" },
};

/** The word for an outcome. */
export const outcomeWords: Record<Outcome, string> = { pass: "Pass", fail: "Fail", unknown: "Unknown" };
