import { describe, expect, it } from "vitest";
import { AppRegistryError } from "../errors/appRegistryError.ts";
import {
  createPublication,
  getStage,
  isSent,
  nextStage,
  type Operation,
  type OperationEvent,
  operationReducer,
  parseOperation,
  type StageId,
} from "./operation.ts";
import { ControlNotAttestedError } from "./versionRules.ts";

const request = { did: "did:web:example.com", version: "1.0.0", metadata: "{}" };
const account = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

const applied = (...events: OperationEvent[]): Operation =>
  events.reduce(operationReducer, createPublication(request, account));

const done = (stage: StageId): OperationEvent => ({ type: "stage", stage, state: "done", note: "Done" });
const fail = (
  stage: StageId,
  error = new AppRegistryError("Declined"),
  reverted = false,
): OperationEvent => ({
  type: "fail",
  stage,
  error,
  reverted,
});
const sent: OperationEvent = { type: "sent", transactionHash: "0xabc" };
const signed = [done("plan"), done("control"), done("simulate"), sent, done("sign")];
const reread = (operation: Operation) => parseOperation(JSON.stringify(operation)) as Operation;

describe("operation", () => {
  it("continues with the first stage that is not done", () => {
    expect(nextStage(applied())).toBe("plan");
    expect(nextStage(applied(done("plan"), done("control"), done("simulate")))).toBe("sign");
  });

  it("has a problem from a failure until it resumes", () => {
    const declined = applied(fail("sign"));
    expect(getStage(declined, "sign")?.state).toBe("failed");
    expect(declined.problem?.message).toBe("Declined");
    expect(operationReducer(declined, { type: "resume" }).problem).toBeUndefined();
  });

  it("is waiting, without a problem, until the wallet's control takes effect", () => {
    const answer = {
      ok: false,
      status: "waiting",
      detail: "Wait.",
      txHashes: [],
      signatures: [],
      ways: [],
      retryable: true,
    };
    const waiting = applied(done("plan"), fail("control", new ControlNotAttestedError(request.did, answer)));
    expect(getStage(reread(waiting), "control")).toMatchObject({ id: "control", state: "waiting" });
    expect(waiting.problem).toBeUndefined();
  });

  it("is planned again after its transaction reverted", () => {
    expect(isSent(applied(...signed))).toBe(true);
    const reverted = applied(...signed, fail("receipt", undefined, true));
    expect(isSent(reverted)).toBe(false);
    expect(nextStage(reverted)).toBe("plan");
  });
});

describe("stored operation", () => {
  it("has its transaction, and repeats the interrupted stage", () => {
    const working = applied(...signed, { type: "stage", stage: "receipt", state: "working", note: "Now" });
    const restored = reread(working);
    expect(restored).toMatchObject({ request, transactionHash: "0xabc" });
    expect(nextStage(restored)).toBe("receipt");
    expect(getStage(restored, "receipt")?.state).toBe("todo");
  });

  it("reads the chain again if the wallet may have sent the transaction", () => {
    const asked = applied(done("plan"), done("control"), done("simulate"), {
      type: "stage",
      stage: "sign",
      state: "working",
      note: "Now",
    });
    expect(nextStage(reread(asked))).toBe("plan");
    expect(getStage(reread(asked), "simulate")?.state).toBe("todo");
  });

  it("has the hash of a sent attestation until its result is known", () => {
    const carried = { type: "carried", stage: "control", transactionHash: "0xdef" } as const;
    const kept = reread(applied(carried));
    expect(kept.carried).toEqual({ control: "0xdef" });
    expect(isSent(kept)).toBe(false);
    expect(applied(carried, { ...carried, transactionHash: undefined }).carried.control).toBeUndefined();
  });

  it.each([null, "{", "{}", '{"did":"did:web:example.com"}', '{"stages":[{"id":"other"}]}'])(
    "is undefined for the text %s",
    (text) => {
      expect(parseOperation(text)).toBeUndefined();
    },
  );
});
