import type { Version } from "@app-registry/sdk";
import type { Address, Hex } from "viem";

/** What publishing passes through, in order. */
export const stageIds = ["control", "simulate", "sign", "receipt", "content", "index"] as const;

export type StageId = (typeof stageIds)[number];

/** `waiting`: nothing is wrong, but it goes on only at a later time. */
export type StageState = "todo" | "working" | "waiting" | "done" | "failed";

/** Exactly what is published; it does not change once it is sent. */
export interface Order {
  kind: "mint" | "update";
  did: string;
  version: Version;
  account: Address;
  interfaces: number;
  dataUrl: string;
  dataHash: Hex;
  /** 0 keccak256, 1 sha256. */
  algorithm: 0 | 1;
  traits: string[];
  /** The canonical JSON, or empty when it stays off the chain. */
  metadataJson: string;
  contractId: string;
  fungibleTokenId: string;
}

/** Why publishing stopped, for the person who has to mend it. */
export interface SubmissionProblem {
  title: string;
  why?: string | undefined;
  action?: string | undefined;
  detail?: string | undefined;
  /** The document to publish, when control of a did:web could not be shown. */
  didDocument?: { url: string; text: string } | undefined;
  /** Draft field that has to change before it can work; undefined when trying again may help. */
  field?: string | undefined;
}

/** A publication that is on its way. It is kept in the browser, so that a reload continues it. */
export interface Submission {
  order: Order;
  stages: Record<StageId, { state: StageState; note?: string | undefined }>;
  transactionHash?: Hex | undefined;
  /** Transactions by which the wallet brought what the issuer signed, by the stage that needed it. */
  carried?: Partial<Record<StageId, Hex | undefined>> | undefined;
  problem?: SubmissionProblem | undefined;
}

/** What happens to a publication on its way. */
export type SubmissionEvent =
  | { type: "start"; order: Order }
  | { type: "resume" }
  | { type: "stage"; stage: StageId; state: "working" | "waiting" | "done"; note?: string }
  | { type: "carried"; stage: StageId; transactionHash: Hex | undefined }
  | { type: "sent"; transactionHash: Hex }
  | { type: "fail"; stage: StageId; problem: SubmissionProblem; reverted?: boolean };

function fresh(order: Order): Submission {
  const stages = Object.fromEntries(stageIds.map((id) => [id, { state: "todo" }])) as Submission["stages"];
  return { order, stages };
}

/** The publication after an event; undefined while there is none. */
export function submissionReducer(
  submission: Submission | undefined,
  event: SubmissionEvent,
): Submission | undefined {
  if (event.type === "start") return fresh(event.order);
  if (submission === undefined) return undefined;
  const { stages } = submission;
  switch (event.type) {
    case "resume":
      return { ...submission, problem: undefined };
    case "stage":
      return {
        ...submission,
        stages: { ...stages, [event.stage]: { state: event.state, note: event.note } },
      };
    case "carried":
      return {
        ...submission,
        carried: { ...submission.carried, [event.stage]: event.transactionHash },
      };
    case "sent":
      return { ...submission, transactionHash: event.transactionHash };
    case "fail":
      return {
        ...submission,
        // A reverted transaction published nothing, so the draft may be mended and sent again.
        transactionHash: event.reverted ? undefined : submission.transactionHash,
        problem: event.problem,
        stages: {
          ...(event.reverted ? unsigned(stages) : stages),
          [event.stage]: { state: "failed" },
        },
      };
  }
}

/** The stages before anything was signed. */
const unsigned = (stages: Submission["stages"]): Submission["stages"] => ({
  ...stages,
  simulate: { state: "todo" },
  sign: { state: "todo" },
});

/**
 * A submission after the page went away: what was at work is to be done again. Without a transaction hash the chain is
 * asked again too, because the wallet may have sent it after the page was gone.
 */
function interrupted(submission: Submission): Submission {
  const known = isSent(submission) ? submission.stages : unsigned(submission.stages);
  const stages = Object.fromEntries(
    stageIds.map((id) => [id, known[id].state === "working" ? { state: "todo" } : known[id]]),
  ) as Submission["stages"];
  return { ...submission, stages };
}

/** The first stage that is not done; undefined when all are. */
export function nextStage(submission: Submission): StageId | undefined {
  return stageIds.find((id) => submission.stages[id].state !== "done");
}

/** Whether the transaction was sent, so that what it publishes can't be changed any more. */
export function isSent(submission: Submission | undefined): boolean {
  return submission?.transactionHash !== undefined;
}

/** Reads a submission back from storage; undefined when it isn't one. */
export function parseSubmission(text: string | null): Submission | undefined {
  if (text === null) return undefined;
  try {
    const value = JSON.parse(text) as Partial<Submission> | null;
    if (!value?.order?.did || !value.stages || !stageIds.every((id) => value.stages?.[id]?.state))
      return undefined;
    return interrupted(value as Submission);
  } catch {
    return undefined;
  }
}
