import { type Abi, type Account, type Address, decodeFunctionData, type Hex, isAddressEqual } from "viem";
import { appRegistryAbi, resolverAbi } from "../abi/index.ts";
import { checkArguments } from "../arguments.ts";
import { findInsufficientFunds, type SendQueue, sendCall } from "../client/calls.ts";
import type { PreparedCall } from "../client/context.ts";
import type { AppRegistryClient } from "../client/createAppRegistryClient.ts";
import { undefinedIfNotRegistered } from "../client/notRegistered.ts";
import { getDidContract, getDidHost } from "../didMethods.ts";
import { AppRegistryError } from "../errors/appRegistryError.ts";
import { toAppRegistryError } from "../errors/toAppRegistryError.ts";
import { TransactionRevertedError } from "../errors/walletErrors.ts";
import { appStatusLabels } from "../recordEnums.ts";
import { prepareSignedAttestation } from "../signedAttestation.ts";
import { formatVersion, parseVersion } from "../version.ts";
import { type CallCost, describeCost, estimateCall } from "./describeTransaction.ts";
import {
  encodeCall,
  nextStage,
  type Operation,
  type OperationEvent,
  operationReducer,
  type StageId,
} from "./operation.ts";
import { type PublicationPlan, planPublication } from "./planPublication.ts";
import { messageSigner } from "./proveWallet.ts";
import { type AttestationResponse, requestAttestation } from "./requestAttestation.ts";
import { ContentNotAttestedError, ControlNotAttestedError } from "./versionRules.ts";

/** Clients, account and callbacks of a running operation. */
export interface OperationContext {
  /** Reads the chain. */
  client: AppRegistryClient;
  /** Origin of a registry web service whose issuer attests. Without it, nothing is attested. */
  baseUrl?: string | undefined;
  /** Opens a client that signs. Called only when there is something to sign. */
  openSigner: () => Promise<AppRegistryClient>;
  /** Account that signs. Default: the account of the opened client. */
  account?: Account | Address | undefined;
  /** Requests attestations. Default: {@link requestAttestation}. */
  requestAttestation?: typeof requestAttestation | undefined;
  /** Sends transactions in turn, with their nonces. Default: the wallet chooses the nonce. */
  sendQueue?: SendQueue | undefined;
  /** Called before each transaction, with its cost. Throw to stop. */
  confirm?: ((call: PreparedCall, cost: CallCost) => Promise<void>) | undefined;
  /** Receives each event, with the operation after it. */
  onEvent?: ((event: OperationEvent, operation: Operation) => void) | undefined;
}

interface Run extends OperationContext {
  operation: Operation;
  /** True if the run has not waited for anything since the plan was made. */
  isPlanFresh: boolean;
  emit: (event: OperationEvent) => void;
  /** Reports the current activity of a stage. */
  note: (stage: StageId, note: string) => void;
}

/**
 * Continues an operation from its first stage that is not done. It can be called again after a failure, or with an
 * operation from `parseOperation`, and sends nothing twice.
 *
 * @returns The operation with every stage done.
 * @throws {AppRegistryError} that stopped it. The operation of the last event has the stage and the problem.
 * @example
 * const call = client.prepareUpdateStatus({ did, major: 1, status: 1 });
 * const operation = createCallOperation({ did, call, account: controller });
 * const { mined } = await runOperation(operation, { client, openSigner: async () => client });
 * Number(mined?.blockNumber) > 0; // true
 */
export async function runOperation(operation: Operation, host: OperationContext): Promise<Operation> {
  checkArguments("did account stages", operation);
  checkArguments("client openSigner baseUrl? account?", host);
  const run: Run = {
    ...host,
    operation,
    isPlanFresh: false,
    emit(event) {
      run.operation = operationReducer(run.operation, event);
      host.onEvent?.(event, run.operation);
    },
    note: (stage, note) => run.emit({ type: "stage", stage, state: "working", note }),
  };
  run.emit({ type: "resume" });
  for (;;) {
    const stage = nextStage(run.operation);
    if (stage === undefined) return run.operation;
    try {
      const note = await runStage[stage](run);
      run.emit({ type: "stage", stage, state: "done", note });
    } catch (thrown) {
      const error = toAppRegistryError(thrown);
      const reverted = stage === "receipt" && error instanceof TransactionRevertedError;
      run.emit({ type: "fail", stage, error, reverted });
      throw error;
    }
  }
}

const runStage: Record<StageId, (run: Run) => Promise<string>> = {
  plan,
  control,
  simulate,
  sign,
  receipt,
  status,
  content,
  index,
};

async function plan(run: Run): Promise<string> {
  run.note("plan", "Comparing with the current record");
  const { action, current, latestMajor, parameters } = await makePlan(run);
  run.isPlanFresh = true;
  const version = formatVersion(parameters.version);
  if (action === "mint" && latestMajor !== undefined && parameters.version.major < latestMajor) {
    return `New record, version ${version}, below the latest major version ${latestMajor}`;
  }
  if (action === "none") return `Version ${version} is already published with this content`;
  return action === "mint" || !current
    ? `Registers a new record, version ${version}`
    : `Version ${version} follows ${formatVersion(current)}`;
}

/** Makes the plan. Skips the sending stages if the registry already has exactly this version. */
async function makePlan(run: Run): Promise<PublicationPlan> {
  const { client, baseUrl, operation } = run;
  const { request } = operation;
  if (!request) throw new Error("A single change needs no plan.");
  const version = parseVersion(request.version);
  const made = await planPublication({ baseUrl, ...request, client, version });
  run.emit({ type: "planned", plan: made, transaction: encodeCall(preparePublication(client, made)) });
  if (made.action === "none") {
    const skipped = ["control", "simulate", "sign", "receipt"] as const;
    for (const stage of skipped)
      run.emit({ type: "stage", stage, state: "done", note: "This version is already on the chain" });
  }
  return made;
}

/**
 * Builds the call that carries out a plan.
 *
 * @example
 * const document = JSON.stringify({ ...metadata, name: "Weather 2" });
 * const plan = await planPublication({ client, did, version: parseVersion("1.0.1"), metadata: document, dataUrl });
 * preparePublication(client, plan).functionName; // "updateAppControlled"
 */
export const preparePublication = (client: AppRegistryClient, plan: PublicationPlan): PreparedCall => {
  checkArguments("client", { client });
  checkArguments("parameters", plan);
  const { action, parameters } = plan;
  return action === "mint" ? client.prepareMint(parameters) : client.prepareUpdateAppControlled(parameters);
};

/**
 * Requests an attestation of the account, unless it controls the DID or acts as an operator for the record's minter or
 * holder.
 */
async function control(run: Run): Promise<string> {
  const { client, baseUrl, operation } = run;
  const { did, account: controller, plan: made } = operation;
  run.note("control", "Checking whether the account controls the DID");
  const { renews = false } = operation;
  if (!renews && (await client.checkDid({ did, controller }))) return "Already attested";
  if (baseUrl === undefined) return "Not attested: no registry web service configured";
  const major = made?.parameters.version.major;
  const record =
    major === undefined ? undefined : await undefinedIfNotRegistered(client.getAppSummary({ did, major }));
  const isHolder = record && isAddressEqual(record.owner, controller);
  // A minter whose part in the record ended acts like any other account.
  const isMinter =
    record &&
    isAddressEqual(record.minter, controller) &&
    !(await client.hasMinterLost({ did, major: major as number }));
  if (record && !isHolder && !isMinter) {
    return "Sent as an operator for the record's minter or holder";
  }
  const contract = getDidContract(did);
  const place = contract
    ? `the contract ${contract.address} for its owner`
    : `${getDidHost(did)} for its DID document`;
  run.note("control", `${new URL(baseUrl).host} is checking ${place}`);
  run.isPlanFresh = false;
  const answer = await attest(run, "control");
  if (!answer.ok) throw new ControlNotAttestedError(did, answer);
  return "Attested by the registry's issuer";
}

async function simulate(run: Run): Promise<string> {
  run.note("simulate", "Simulating the transaction");
  // Waiting for control may take days, in which another client may have published the version.
  const isStale = run.operation.request && !run.isPlanFresh;
  if (isStale && (await makePlan(run)).action === "none") return "This version is already on the chain";
  const cost = await estimate(run, toPreparedCall(run));
  return `Simulation passed: ${describeCost(run.client, cost)}`;
}

async function sign(run: Run): Promise<string> {
  const transactionHash = await send(run, "sign", toPreparedCall(run));
  run.emit({ type: "sent", transactionHash });
  return "Signed and sent";
}

async function receipt(run: Run): Promise<string> {
  const { transactionHash: hash } = run.operation;
  if (hash === undefined) throw new Error("The transaction was not sent.");
  run.note("receipt", `Sent ${hash}. Waiting for confirmation`);
  const { blockNumber, gasUsed } = await run.client.waitForReceipt({ hash });
  run.emit({ type: "mined", blockNumber, gasUsed });
  return `In block ${blockNumber.toLocaleString("en")}, ${gasUsed.toLocaleString("en")} gas`;
}

async function content(run: Run): Promise<string> {
  const { client, baseUrl, operation } = run;
  const { did, plan: made } = operation;
  if (!made) throw new Error("Only a publication has content.");
  const { dataHash } = made.parameters;
  run.note("content", "Checking whether the dataHash is attested");
  if (await client.checkDataHashAttestation({ did, dataHash })) return "The dataHash is already attested";
  if (baseUrl === undefined) return "Not attested: no registry web service configured";
  run.note("content", `${new URL(baseUrl).host} is hashing the document`);
  const answer = await attest(run, "content");
  if (!answer.ok) throw new ContentNotAttestedError(answer);
  return "The issuer attested the dataHash";
}

async function status(run: Run): Promise<string> {
  const { client, operation } = run;
  const { did, request } = operation;
  if (request?.status === undefined) throw new Error("No status is to be set.");
  const { major } = parseVersion(request.version);
  run.note("status", "Checking the record's status");
  const name = appStatusLabels[request.status];
  const { status: present } = await client.getAppSummary({ did, major });
  if (present === request.status) return `The record is ${name}`;
  const call = client.prepareUpdateStatus({ did, major, status: request.status });
  await runTransactionStage(run, "status", call, `Your wallet sets the record's status to ${name}.`);
  return `The record is ${name}`;
}

async function index({ client, baseUrl, operation, note }: Run): Promise<string> {
  if (operation.mined) {
    note("index", "Waiting for the search index");
    await client.waitUntilIndexed({ blockNumber: BigInt(operation.mined.blockNumber), baseUrl });
  }
  return "Now in search";
}

/** Requests an attestation from the issuer. If the issuer only signs, the account submits the signed attestation. */
async function attest(run: Run, stage: "control" | "content"): Promise<AttestationResponse> {
  const { client, baseUrl, operation } = run;
  const { account, did, plan: made } = operation;
  if (baseUrl === undefined) throw new Error("Only a web service's issuer attests.");
  const signer = async () => {
    const words = `Sign a message in your wallet to let this registry attest that you control ${did}. Signing is free.`;
    run.note(stage, words);
    return openVerifiedSigner(run);
  };
  const ask = () =>
    (run.requestAttestation ?? requestAttestation)({
      baseUrl,
      did,
      connectedAddress: account,
      requiredSchemas: [stage === "control" ? "did-ownership" : "data-hash"],
      major: stage === "content" ? made?.parameters.version.major : undefined,
      signMessage: messageSigner(signer, run.account ?? account),
    });
  const answer = await ask();
  if (answer.status !== "signed") return answer;
  for (const signed of answer.signatures) {
    await runTransactionStage(
      run,
      stage,
      prepareSignedAttestation(client, signed),
      "The issuer signed the attestation. Now send it in a transaction.",
    );
  }
  return ask();
}

/**
 * Sends a further transaction, or waits for it if it was sent before.
 *
 * @param words Description of the transaction, as a sentence.
 */
async function runTransactionStage(
  run: Run,
  stage: "control" | "content" | "status",
  call: PreparedCall,
  words: string,
): Promise<void> {
  let hash = run.operation.carried[stage];
  if (hash === undefined) {
    const cost = await estimate(run, call);
    run.note(stage, `${words} It costs ${describeCost(run.client, cost)}.`);
    hash = await send(run, stage, call, cost);
    run.emit({ type: "carried", stage, transactionHash: hash });
  }
  run.note(stage, `Sent ${hash}. Waiting for confirmation`);
  try {
    await run.client.waitForReceipt({ hash });
  } finally {
    // Forget the hash: sending again does no harm, but waiting for a lost transaction would never end.
    run.emit({ type: "carried", stage, transactionHash: undefined });
  }
}

async function send(run: Run, stage: StageId, call: PreparedCall, cost?: CallCost): Promise<Hex> {
  await run.confirm?.(call, cost ?? (await estimate(run, call)));
  if (stage === "sign") run.note(stage, "Waiting for the wallet to sign");
  return sendCall(await openVerifiedSigner(run), call, { account: run.account }, run.sendQueue);
}

/**
 * Opens the signer.
 *
 * @throws {AppRegistryError} when the connected wallet differs from the one with which the operation began.
 */
async function openVerifiedSigner({ openSigner, operation, account }: Run): Promise<AppRegistryClient> {
  const client = await openSigner();
  const signer = account ?? client.walletClient?.account;
  const address = typeof signer === "string" ? signer : signer?.address;
  if (address === undefined || isAddressEqual(address, operation.account)) return client;
  throw new AppRegistryError(
    `This was prepared for wallet ${operation.account}, but ${address} is connected.`,
    {
      action: "Connect that wallet, or start over with this one.",
    },
  );
}

/**
 * Estimates the cost of a call.
 *
 * @throws {InsufficientFundsError} when the account cannot pay, and the errors of {@link estimateCall}.
 */
async function estimate({ client, operation }: Run, call: PreparedCall): Promise<CallCost> {
  const { account } = operation;
  const cost = await estimateCall(client, call, account);
  const shortfall = await findInsufficientFunds(client, call, account, cost).catch((error) => {
    throw toAppRegistryError(error);
  });
  if (shortfall) throw shortfall;
  return cost;
}

function toPreparedCall({ client, operation }: Run): PreparedCall {
  const { transaction } = operation;
  if (!transaction) throw new Error("Nothing was prepared.");
  const { AppRegistry } = client.deployment.contracts;
  const abi: Abi = isAddressEqual(transaction.to, AppRegistry.address) ? appRegistryAbi : resolverAbi;
  const { functionName, args = [] } = decodeFunctionData({ abi, data: transaction.data });
  return { address: transaction.to, abi, functionName, args };
}
