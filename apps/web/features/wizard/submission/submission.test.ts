import { describe, expect, it } from "vitest";
import {
  isSent,
  nextStage,
  type Order,
  parseSubmission,
  type Submission,
  type SubmissionEvent,
  submissionReducer,
} from "./submission.ts";

const order: Order = {
  kind: "mint",
  did: "did:web:example.com",
  version: { major: 1, minor: 0, patch: 0 },
  account: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
  interfaces: 2,
  dataUrl: "https://registry.example/a.json",
  dataHash: "0x01",
  algorithm: 0,
  traits: ["api:rest"],
  metadataJson: "{}",
  contractId: "",
  fungibleTokenId: "",
};

const applied = (...events: SubmissionEvent[]): Submission => {
  const submission = [{ type: "start", order } as const, ...events].reduce(submissionReducer, undefined);
  if (!submission) throw new Error("A started submission is there.");
  return submission;
};

const done = (stage: "control" | "simulate" | "sign"): SubmissionEvent => ({
  type: "stage",
  stage,
  state: "done",
});
const sent: SubmissionEvent = { type: "sent", transactionHash: "0xabc" };
const signed = [done("control"), done("simulate"), sent, done("sign")];

describe("a submission", () => {
  it("goes on from the first stage that is not done", () => {
    expect(nextStage(applied())).toBe("control");
    expect(nextStage(applied(done("control"), done("simulate")))).toBe("sign");
  });

  it("keeps the reason why it stopped until it is carried on", () => {
    const rejected = applied({ type: "fail", stage: "sign", problem: { title: "Declined" } });
    expect(rejected.stages.sign.state).toBe("failed");
    expect(rejected.problem?.title).toBe("Declined");
    expect(submissionReducer(rejected, { type: "resume" })?.problem).toBeUndefined();
  });

  it("keeps the attestation that the wallet sent over a reload, until that had no effect", () => {
    const carried = { type: "carried", stage: "control", transactionHash: "0xdef" } as const;
    const kept = parseSubmission(JSON.stringify(applied(carried)));
    expect(kept?.carried).toEqual({ control: "0xdef" });
    expect(isSent(kept)).toBe(false);
    const forgotten = applied(carried, { ...carried, transactionHash: undefined });
    expect(forgotten.carried?.control).toBeUndefined();
  });

  it("still waits after a reload", () => {
    const waiting = applied({ type: "stage", stage: "control", state: "waiting", note: "Wait." });
    const restored = parseSubmission(JSON.stringify(waiting));
    expect(restored?.stages.control).toEqual({ state: "waiting", note: "Wait." });
    expect(restored && nextStage(restored)).toBe("control");
  });

  it("may be mended after its transaction reverted", () => {
    const problem = { title: "Reverted" };
    expect(isSent(applied(...signed))).toBe(true);
    const reverted = applied(...signed, { type: "fail", stage: "receipt", problem, reverted: true });
    expect(isSent(reverted)).toBe(false);
    expect(nextStage(reverted)).toBe("simulate");
  });
});

describe("a submission that a reload interrupted", () => {
  it("comes back with its transaction and does the interrupted stage again", () => {
    const working = applied(...signed, { type: "stage", stage: "receipt", state: "working" });
    const restored = parseSubmission(JSON.stringify(working));
    expect(restored).toMatchObject({ order, transactionHash: "0xabc" });
    expect(restored && nextStage(restored)).toBe("receipt");
    expect(restored?.stages.receipt.state).toBe("todo");
  });

  it("asks the chain again when the wallet may have sent it meanwhile", () => {
    const asked = applied(done("control"), done("simulate"), {
      type: "stage",
      stage: "sign",
      state: "working",
    });
    const restored = parseSubmission(JSON.stringify(asked));
    expect(restored && nextStage(restored)).toBe("simulate");
  });

  it("is not taken from a text that is none", () => {
    expect(parseSubmission(null)).toBeUndefined();
    expect(parseSubmission("{")).toBeUndefined();
    expect(parseSubmission('{"order":{}}')).toBeUndefined();
  });
});
