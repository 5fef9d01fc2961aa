import { type Address, encodeFunctionData, type Hex } from "viem";
import { checkArguments } from "../arguments.ts";
import type { PreparedCall } from "../client/context.ts";
import { type CanonicalDid, isCanonicalDid, normalizeDid } from "../did.ts";
import { type AppRegistryError, PublicationConflictError } from "../errors/appRegistryError.ts";
import { ContractRevertError } from "../errors/contractRevertError.ts";
import type { PublicationPlan, PublicationRequest } from "./planPublication.ts";
import type { AttestationResponse, DocumentToPublish } from "./requestAttestation.ts";
import { AttestationRefusedError } from "./versionRules.ts";

/** Stages of an operation, in order. A single change of a record or of control has only some of them. */
export const stageIds = [
  "plan",
  "control",
  "simulate",
  "sign",
  "receipt",
  "status",
  "content",
  "index",
] as const;

export type StageId = (typeof stageIds)[number];

/** State of a stage. `waiting`: no error occurred, but the operation can continue only later. */
export type StageState = "todo" | "working" | "waiting" | "done" | "failed";

export interface Stage {
  id: StageId;
  state: StageState;
  /** Current activity or result, as a sentence. */
  note?: string | undefined;
}

/** Problem that stopped an operation, for the person who can fix it. */
export interface OperationProblem {
  /** Short title, if the issuer gives one; `message` then has the reason. */
  title?: string | undefined;
  message: string;
  action?: string | undefined;
  /** Attempts and codes, to quote when asking for help. */
  details: string[];
  /** Name of the contract's error if the contract refused, or code of a conflict with the registered versions. */
  errorName?: string | undefined;
  /** DID document that would prove control. */
  publish?: DocumentToPublish | undefined;
  /** Every attempt to prove control, in order, with the reason why it failed. */
  ways?: AttestationResponse["ways"] | undefined;
}

/** One write to the registry or the resolver, with every step that it needs. Plain JSON, so that it can be stored. */
export interface Operation {
  did: CanonicalDid;
  /** Account that sends the transactions. */
  account: Address;
  stages: readonly Stage[];
  /**
   * True to request an attestation even if the account controls the DID, so that the issuer renews one that expires
   * soon.
   */
  renews?: boolean | undefined;
  /** Version to publish; absent in a single change. */
  request?: PublicationRequest | undefined;
  /** Plan of the publication; `undefined` until the plan stage is done. */
  plan?: PublicationPlan | undefined;
  /** Transaction to send. For a publication, `undefined` until the plan stage is done. */
  transaction?: { to: Address; data: Hex } | undefined;
  transactionHash?: Hex | undefined;
  /** Values of the receipt, as decimal numbers. */
  mined?: { blockNumber: string; gasUsed: string } | undefined;
  /**
   * Hashes of further transactions that are not confirmed yet, by the stage that sent them: a signed attestation, or a
   * status.
   */
  carried: Partial<Record<StageId, Hex | undefined>>;
  problem?: OperationProblem | undefined;
}

/** Event of an operation. */
export type OperationEvent =
  | { type: "resume" }
  | { type: "stage"; stage: StageId; state: "working" | "waiting" | "done"; note: string }
  | { type: "planned"; plan: PublicationPlan; transaction: Operation["transaction"] }
  | { type: "carried"; stage: StageId; transactionHash: Hex | undefined }
  | { type: "sent"; transactionHash: Hex }
  | { type: "mined"; blockNumber: bigint; gasUsed: bigint }
  | { type: "fail"; stage: StageId; error: AppRegistryError; reverted: boolean };

const createStages = (ids: readonly StageId[]): Stage[] => ids.map((id) => ({ id, state: "todo" }));

/**
 * Creates the operation that publishes a version of a service. `runOperation` carries it out.
 *
 * @param stages Default: all. `status` is omitted unless the request has a status.
 * @throws {InvalidDidError}
 * @example
 * const request = { did, version: "1.0.1", metadata: JSON.stringify(metadata) };
 * createPublication(request, controller).stages[0]; // { id: "plan", state: "todo" }
 */
export function createPublication(
  request: PublicationRequest,
  account: Address,
  stages: readonly StageId[] = stageIds,
): Operation {
  checkArguments("did metadata", request);
  checkArguments("account stages", { account, stages });
  const did = normalizeDid(request.did);
  const needed = stages.filter((stage) => stage !== "status" || request.status !== undefined);
  return { did, account, request: { ...request, did }, stages: createStages(needed), carried: {} };
}

/**
 * Creates the operation for a single change, such as a status, a transfer, a block or a reclaim. `runOperation` carries
 * it out.
 *
 * @throws {InvalidDidError}
 * @example
 * const call = client.prepareUpdateStatus({ did, major: 1, status: 1 });
 * const operation = createCallOperation({ did, call, account: controller });
 * operation.stages[0]?.id; // "simulate"
 */
export function createCallOperation(parameters: {
  did: string;
  call: PreparedCall;
  account: Address;
  /** Stages to run. Default: simulation, signature and receipt. */
  stages?: readonly StageId[];
}): Operation {
  checkArguments("did account stages?", parameters);
  const { did, call, account, stages = ["simulate", "sign", "receipt"] } = parameters;
  checkArguments("address args", call);
  return {
    did: normalizeDid(did),
    account,
    transaction: encodeCall(call),
    stages: createStages(stages),
    carried: {},
  };
}

/**
 * Creates the operation in which an issuer checks that an account controls a DID, without a publication.
 *
 * @param renews Set to true to request an attestation even if the account controls the DID. The issuer then renews one
 * that expires soon.
 * @throws {InvalidDidError}
 * @example
 * createControlCheck(did, controller).stages; // [{ id: "control", state: "todo" }]
 */
export function createControlCheck(did: string, account: Address, renews = false): Operation {
  checkArguments("did account", { did, account });
  const stages = createStages(["control"]);
  return { did: normalizeDid(did), account, ...(renews && { renews }), stages, carried: {} };
}

export const encodeCall = (call: PreparedCall) => ({ to: call.address, data: encodeFunctionData(call) });

const withStage = (operation: Operation, id: StageId, state: StageState, note?: string): Operation => ({
  ...operation,
  stages: operation.stages.map((stage) => (stage.id === id ? { id, state, note } : stage)),
});

/** Resets the stages before the transaction, so that the chain is read again. */
const resetUnsentStages = (operation: Operation): Operation => ({
  ...withStage(withStage(withStage(operation, "plan", "todo"), "simulate", "todo"), "sign", "todo"),
  transactionHash: undefined,
});

/** Returns the operation after an event. */
export function operationReducer(operation: Operation, event: OperationEvent): Operation {
  switch (event.type) {
    case "resume":
      return { ...operation, problem: undefined };
    case "stage":
      return withStage(operation, event.stage, event.state, event.note);
    case "planned":
      return { ...operation, plan: event.plan, transaction: event.transaction };
    case "carried":
      return { ...operation, carried: { ...operation.carried, [event.stage]: event.transactionHash } };
    case "sent":
      // Change both in one step: a page that is closed in between must not sign again when it is reopened.
      return {
        ...withStage(operation, "sign", "done", "Signed and sent"),
        transactionHash: event.transactionHash,
      };
    case "mined":
      return {
        ...operation,
        mined: { blockNumber: String(event.blockNumber), gasUsed: String(event.gasUsed) },
      };
    case "fail": {
      // A reverted transaction changed nothing, so the publisher may correct it and send another one.
      const before = event.reverted ? resetUnsentStages(operation) : operation;
      const isWaiting = event.error instanceof AttestationRefusedError && event.error.isWaiting;
      const state = isWaiting ? "waiting" : "failed";
      const note = isWaiting ? "The account's control isn't in effect yet" : undefined;
      const problem = isWaiting ? undefined : toProblem(event.error);
      return { ...withStage(before, event.stage, state, note), problem };
    }
  }
}

function toProblem(error: AppRegistryError): OperationProblem {
  const reason = error.cause instanceof ContractRevertError ? error.cause : error;
  const { shortMessage: message, action, cause } = error;
  const errorName =
    reason instanceof ContractRevertError
      ? reason.errorName
      : error instanceof PublicationConflictError
        ? error.code
        : undefined;
  const known = { message, action, errorName };
  if (error instanceof AttestationRefusedError) {
    const { title, publish, ways } = error.answer;
    return { ...known, title, details: error.details, publish, ways };
  }
  return { ...known, details: cause instanceof Error ? [cause.message] : [] };
}

/**
 * Returns the first stage that is not done, or `undefined` if all are.
 *
 * @example
 * nextStage(createControlCheck(did, controller)); // "control"
 */
export const nextStage = (operation: Operation): StageId | undefined =>
  listStages(operation).find(({ state }) => state !== "done")?.id;

function listStages(operation: Operation): readonly Stage[] {
  checkArguments("stages", operation);
  return operation.stages;
}

/**
 * Returns a stage of an operation, or `undefined` if the operation does not have it.
 *
 * @example
 * getStage(createControlCheck(did, controller), "sign"); // undefined
 */
export const getStage = (operation: Operation, id: StageId): Stage | undefined =>
  listStages(operation).find((stage) => stage.id === id);

/**
 * Returns true if the transaction was sent, so that it can no longer be changed.
 *
 * @example
 * isSent(createControlCheck(did, controller)); // false
 */
export function isSent(operation: Operation): boolean {
  checkArguments("transactionHash?", operation);
  return operation.transactionHash !== undefined;
}

/**
 * Reads an operation that was stored as JSON. Returns `undefined` if the text is not an operation. A stage that was
 * running when the page was closed runs again. Without a transaction hash, the chain is also read again, because the
 * wallet may have sent the transaction.
 *
 * @example
 * const kept = JSON.stringify(createControlCheck(did, controller));
 * parseOperation(kept)?.did === did; // true
 */
export function parseOperation(text: string | null): Operation | undefined {
  if (text === null) return undefined;
  try {
    const kept = JSON.parse(text) as Partial<Operation> | null;
    const isOperation =
      kept?.did &&
      isCanonicalDid(kept.did) &&
      kept.account &&
      kept.carried &&
      kept.stages?.every(({ id }) => stageIds.includes(id));
    if (!isOperation) return undefined;
    const known = isSent(kept as Operation) ? (kept as Operation) : resetUnsentStages(kept as Operation);
    const stages = known.stages.map((stage) =>
      stage.state === "working" ? { ...stage, state: "todo" as const } : stage,
    );
    return { ...known, stages };
  } catch {
    return undefined;
  }
}
