import type { Address, Hash, Hex } from "viem";
import { getTransactionCount } from "viem/actions";
import { checkArguments } from "../arguments.ts";
import type { SendOptions, SendQueue, Submit } from "../client/calls.ts";
import type { AppRegistryClient } from "../client/createAppRegistryClient.ts";
import { type CanonicalDid, normalizeDid } from "../did.ts";
import { AppRegistryError, InvalidArgumentError, NonceError } from "../errors/appRegistryError.ts";
import { ContractRevertError } from "../errors/contractRevertError.ts";
import { toAppRegistryError } from "../errors/toAppRegistryError.ts";
import { NoAccountError, TransactionRevertedError } from "../errors/walletErrors.ts";
import { canonicalizeValue } from "../json.ts";
import { formatVersion, type VersionInput } from "../version.ts";
import { createPublication, getStage, type Operation } from "./operation.ts";
import { type PlanPublicationParameters, publicationArguments } from "./planPublication.ts";
import { type AttestationResponse, createAttestationBatches } from "./requestAttestation.ts";
import { type OperationContext, runOperation } from "./runOperation.ts";
import { AttestationRefusedError } from "./versionRules.ts";

/** Version to publish and account that sends it. See {@link PlanPublicationParameters} for the defaults. */
export type PublishAppParameters = Omit<PlanPublicationParameters, "version" | "metadata"> &
  SendOptions & {
    version: VersionInput;
    /** Metadata document, as JSON text or as a value. */
    metadata: string | object;
  };

/** Result of {@link publishApp}. */
export type PublishAppResult = {
  /** `already-published` if this version was already published with this content, and nothing was sent. */
  status: "published" | "already-published";
  did: CanonicalDid;
  dataHash: Hex;
  /** Transaction that published it; `undefined` if nothing was sent. */
  transactionHash: Hex | undefined;
  /** True if an issuer has a live attestation of the dataHash. */
  attested: boolean;
};

/**
 * Publishes a version of a service, its first or a later one, and waits until the transaction is confirmed. Safe to
 * repeat.
 *
 * With a web service (`baseUrl`, or a client of `connectAppRegistry`), its issuer first checks that the wallet controls
 * the DID, and attests the document's hash afterwards. Without one, the wallet must already be attested.
 *
 * @throws {NotPublishableError} listing the problems of the metadata.
 * @throws {PublicationConflictError} when the version is published with other content.
 * @throws {ControlNotAttestedError} when the issuer does not attest that the wallet controls the DID.
 * @throws {ContractRevertError} before anything is sent, when the registry would refuse.
 * @throws {TransactionRevertedError} when the transaction reverted.
 * @example
 * const { status } = await publishApp({ client, did, version: "1.1.0", interfaces: 2, metadata });
 * status; // "published"
 */
export async function publishApp(parameters: PublishAppParameters): Promise<PublishAppResult> {
  return publishWith(parameters, {});
}

/** Publishes a version with other ways to send and to request attestations. */
async function publishWith(
  parameters: PublishAppParameters,
  ways: Pick<OperationContext, "requestAttestation" | "sendQueue" | "onEvent">,
): Promise<PublishAppResult> {
  checkArguments(`${publicationArguments} account?`, parameters);
  const version = formatVersion(parameters.version);
  const { account: given, client, baseUrl = client.baseUrl, metadata, ...rest } = parameters;
  const account = given ?? client.walletClient?.account;
  if (!account) throw new NoAccountError();
  const address = typeof account === "string" ? account : account.address;
  const text = typeof metadata === "string" ? metadata : canonicalizeValue(metadata);
  let operation: Operation = createPublication({ ...rest, version, metadata: text }, address, [
    "plan",
    "control",
    "simulate",
    "sign",
    "receipt",
    // Without a web service, no issuer can attest the content.
    ...(baseUrl === undefined ? [] : (["content"] as const)),
  ]);
  const openSigner = async () => client;
  const onEvent: OperationContext["onEvent"] = (event, next) => {
    operation = next;
    ways.onEvent?.(event, next);
  };
  const host = { ...ways, client, baseUrl, account, openSigner, onEvent };
  await runOperation(operation, host).catch((error) => {
    // The record is published, even if the issuer refuses to attest its document.
    if (getStage(operation, "receipt")?.state !== "done") throw error;
  });
  const { did, plan, transactionHash } = operation;
  if (!plan) throw new Error("A publication that was carried out has a plan.");
  const { dataHash } = plan.parameters;
  const attested = await client.checkDataHashAttestation({ did, dataHash });
  const status = transactionHash === undefined ? "already-published" : "published";
  return { status, did, dataHash, transactionHash, attested };
}

/** Version of a service to publish with others. */
export type ServiceToPublish = Omit<PublishAppParameters, "client" | "account" | "baseUrl">;

/** Result for one service of {@link publishApps}. */
export type PublishAppsOutcome =
  | PublishAppResult
  | { status: "failed"; did: string; error: AppRegistryError };

/** Progress of {@link publishApps}: a finished service, or a wait that the registry's web service asked for. */
export type PublishAppsEvent =
  | { type: "finished"; outcome: PublishAppsOutcome; finished: number; total: number }
  | { type: "waiting"; seconds: number; response: AttestationResponse | undefined };

export type PublishAppsParameters = SendOptions & {
  client: AppRegistryClient;
  /** Origin of a registry web service. Default: that of the client. */
  baseUrl?: string | undefined;
  /** Services to publish, each DID once. */
  services: readonly ServiceToPublish[];
  /** Receives the progress. */
  onProgress?: ((event: PublishAppsEvent) => void) | undefined;
};

/** Number of services that are published at the same time, without those that wait for an attestation. */
const MAX_BUSY = 100;

/**
 * Publishes many services, each as {@link publishApp} does. Control and content of the services of one host are attested
 * in batches, after waiting as long as the web service asks for, and several transactions are open at a time.
 *
 * A failure of one service does not stop the others. Repeat the call after it failed or was killed: what the registry
 * already has is read from the chain, and is not sent again. It first waits until the account's earlier transactions
 * are mined.
 *
 * @returns One outcome per service, in the same order.
 * @throws {NoAccountError}
 * @throws {InvalidArgumentError} when a DID is listed twice.
 * @example
 * const services = [{ did, version: "1.1.0", interfaces: 2, metadata }];
 * const [outcome] = await publishApps({ client, services });
 * outcome?.status; // "published"
 */
export async function publishApps(parameters: PublishAppsParameters): Promise<PublishAppsOutcome[]> {
  checkArguments("client services baseUrl? account?", parameters);
  const { client, baseUrl, services, onProgress } = parameters;
  const account = parameters.account ?? client.walletClient?.account;
  if (!account) throw new NoAccountError();
  refuseDuplicates(services);
  const { sendQueue, waitUntilMined } = createSendQueue(
    client,
    typeof account === "string" ? account : account.address,
  );
  await waitUntilMined();

  const outcomes: PublishAppsOutcome[] = [];
  const waiting = [...services.entries()];
  let finished = 0;
  let startNext = (): void => undefined;
  const batches = createAttestationBatches(
    () => services.length - finished,
    (seconds, response) => onProgress?.({ type: "waiting", seconds, response }),
  );
  const requestAttestation: typeof batches.requestAttestation = (request) => {
    const response = batches.requestAttestation(request);
    startNext();
    return response;
  };
  const publish = async (service: ServiceToPublish): Promise<PublishAppResult> => {
    let operation: Operation | undefined;
    const onEvent = (_: unknown, next: Operation) => {
      operation = next;
    };
    const run = () =>
      publishWith({ ...service, client, account, baseUrl }, { requestAttestation, sendQueue, onEvent });
    return run().catch((error) => {
      if (!mayRepeat(error, operation)) throw error;
      return run();
    });
  };
  const work = async (index: number, service: ServiceToPublish) => {
    const outcome = await publish(service).catch(
      (error): PublishAppsOutcome => ({
        status: "failed",
        did: service.did,
        error: toAppRegistryError(error),
      }),
    );
    finished += 1;
    outcomes[index] = outcome;
    onProgress?.({ type: "finished", outcome, finished, total: services.length });
    startNext();
    batches.flush();
  };
  await new Promise<void>((resolve, reject) => {
    const countBusy = () => services.length - waiting.length - finished - batches.countWaiting();
    startNext = () => {
      while (waiting.length > 0 && countBusy() < MAX_BUSY) {
        const [index, service] = waiting.shift() as (typeof waiting)[number];
        work(index, service).catch(reject);
      }
      if (finished === services.length) resolve();
    };
    startNext();
  });
  return outcomes;
}

function refuseDuplicates(services: readonly ServiceToPublish[]): void {
  const seen = new Set<string>();
  for (const { did: given } of services) {
    const did = toCanonical(given);
    if (seen.has(did)) throw new InvalidArgumentError(`services lists ${did} twice`);
    seen.add(did);
  }
}

/** Returns the canonical DID. Returns an invalid one as it is, because only its own service fails. */
function toCanonical(did: string): string {
  try {
    return normalizeDid(did);
  } catch {
    return String(did);
  }
}

/**
 * Returns true if the chain may have changed since it was read, for example because another process published the same
 * version, or did not respond. Nothing is repeated whose transaction may still be mined.
 */
function mayRepeat(error: unknown, operation: Operation | undefined): boolean {
  if (error instanceof ContractRevertError || error instanceof TransactionRevertedError) return true;
  const { retryable } = toAppRegistryError(error);
  return retryable && !(error instanceof AttestationRefusedError) && operation?.transactionHash === undefined;
}

/** Maximum number of an account's transactions that wait to be mined. Nodes drop more of one account. */
const MAX_OPEN = 64;

/** Time without a mined transaction after which the queue stops, in milliseconds. */
const STUCK_AFTER = 180_000;

/** Maximum number of nonces to try, because another process may use the same account. */
const MAX_NONCES = 5;

const isNonceRefusal = (error: AppRegistryError): boolean =>
  error instanceof NonceError || /underpriced|already known/i.test(`${error.message} ${error.cause}`);

/** Creates the queue of an account's transactions. `waitUntilMined` waits for those that are open now. */
function createSendQueue({ publicClient }: AppRegistryClient, address: Address) {
  const { pollingInterval } = publicClient;
  let last: Promise<unknown> = Promise.resolve();
  let next = 0;

  const readCount = (blockTag: "latest" | "pending") =>
    getTransactionCount(publicClient, { address, blockTag });

  async function waitForCount(wanted: number): Promise<void> {
    let mined = await readCount("latest");
    for (let since = Date.now(); mined < wanted; ) {
      await new Promise((resolve) => setTimeout(resolve, pollingInterval));
      const count = await readCount("latest");
      if (count > mined) [mined, since] = [count, Date.now()];
      if (Date.now() - since < STUCK_AFTER) continue;
      throw new AppRegistryError(`Earlier transactions of ${address} aren't being mined.`, {
        action: "Wait until they are, or replace them with a higher fee. Then try again.",
        retryable: true,
      });
    }
  }

  async function sendNext(submit: Submit): Promise<Hash> {
    for (let tries = 1; ; tries++) {
      // A node behind a load balancer may not have the newest transactions yet.
      const nonce = Math.max(next, await readCount("pending"));
      await waitForCount(nonce - MAX_OPEN);
      try {
        const hash = await submit({ nonce });
        next = nonce + 1;
        return hash;
      } catch (error) {
        if (tries === MAX_NONCES || !isNonceRefusal(toAppRegistryError(error))) throw error;
        await new Promise((resolve) => setTimeout(resolve, pollingInterval));
      }
    }
  }

  const sendQueue: SendQueue = (submit) => {
    const current = last.then(() => sendNext(submit));
    last = current.catch(() => undefined);
    return current;
  };
  return { sendQueue, waitUntilMined: async () => waitForCount(await readCount("pending")) };
}
