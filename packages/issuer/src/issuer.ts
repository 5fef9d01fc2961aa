import { createHash } from "node:crypto";
import type { GuardedFetch, ResolveTxt } from "@app-registry/outbound";
import { createKeyedLock } from "@app-registry/outbound/internal";
import { type AppRegistryClient, createAppRegistryClient, type Deployment } from "@app-registry/sdk";
import { type Address, getAddress, type LocalAccount, type PublicClient } from "viem";
import { attestDataHash } from "./attest/attestDataHash.ts";
import { attestOwnership } from "./attest/attestOwnership.ts";
import { signAttestation } from "./attest/attestStatement.ts";
import {
  type AttestationChannel,
  type IssuerContext,
  NotAnIssuerError,
  type SendCheck,
} from "./attest/issuerContext.ts";
import type { Statement } from "./attest/statementKinds.ts";
import {
  type AttestationOutcome,
  combineOutcomes,
  type VerifyAndAttestParameters,
  type VerifyAndAttestRequest,
  type VerifyAndAttestResult,
  verifyAndAttestRequestSchema,
} from "./attest/verifyAndAttestSchema.ts";
import {
  createRevalidation,
  type Revalidation,
  type RevalidationOptions,
} from "./revalidation/revalidation.ts";
import {
  openRevalidationStore,
  type RevalidationEvent,
  type RevalidationStore,
} from "./revalidation/revalidationStore.ts";
import { getIssuerScope, type IssuerEvent } from "./sending/broadcast.ts";
import { createSender, type Sender, type SenderOptions } from "./sending/sender.ts";
import type { IssuerFunds } from "./sending/submitTransaction.ts";
import { openTransactionStore, type SqlPool } from "./sending/transactionStore.ts";

/** Mode of an issuer. `send`: it sends and pays. `sign`: it signs, and the publisher submits and pays. */
export type IssuerMode = "send" | "sign";

export type CreateIssuerOptions = Omit<SenderOptions, "onEvent"> & {
  /** Account of the issuer: any viem account that can sign transactions. Its key may be in a KMS. */
  account: LocalAccount;
  deployment: Deployment;
  /** Client of the deployment's chain, for reading and sending. */
  publicClient: PublicClient;
  guardedFetch: GuardedFetch;
  /** Returns the client of another chain, for did:pkh. */
  chainClient?: (chainId: number) => PublicClient | undefined;
  /** Allows loopback hosts for did:web. Only for local development. Default false. */
  allowLoopback?: boolean;
  /** Mode of the issuer. Default `send`. */
  mode?: IssuerMode;
  /**
   * PostgreSQL of the open transactions and the checks, such as a `pg` Pool. Any number of processes can share it.
   * Tables are created in the schema `app_registry_issuer`.
   */
  database: SqlPool;
  /** Resolver that enables DNS TXT records for did:web, see `createTxtResolver`. Default: only did.json is accepted. */
  resolveTxt?: ResolveTxt | undefined;
  /** Time to wait for a receipt before the outcome is `pending`, in milliseconds. Default 30,000. */
  receiptTimeout?: number;
  /** Clock for the expiry of keys and for due checks, in Unix milliseconds. Default: the system's clock. */
  now?: () => number;
  /** Options of the revalidation, which begins with `revalidation.start()`. Default: no revalidation. */
  revalidation?: RevalidationOptions | undefined;
  /** Receives events for the operator's log. */
  onEvent?: (event: IssuerEvent | RevalidationEvent) => void;
};

export type Issuer = {
  address: Address;
  mode: IssuerMode;
  /**
   * Checks and attests the schemas of a request; `VerifyAndAttestResult` lists the outcomes. Identical concurrent
   * requests of a client share one result, and requests for the same DID run one at a time. `client` identifies the
   * requester, such as by an IP address, for `clientSpendingCap`; only its hash is stored. `sendCheck` sends
   * what a check requests from a host or a contract, which not every request needs. An error that it throws ends the
   * request.
   * @throws {ZodError} for a malformed request.
   * @throws {NotAnIssuerError} if the issuer was retired or distrusted after it started.
   * @throws {AppRegistryError} (retryable) if the chain does not respond, which never means "not attested".
   */
  verifyAndAttest(
    parameters: VerifyAndAttestParameters,
    options?: { client?: string; sendCheck?: SendCheck },
  ): Promise<VerifyAndAttestResult>;
  /** Reads the remaining funds. Returns `undefined` in the mode `sign`. */
  readFunds(): Promise<IssuerFunds | undefined>;
  /** Revalidation of the issuer's attestations, or `undefined` without the option. */
  revalidation: Revalidation | undefined;
  /** Stops the monitoring of open transactions, and the revalidation. */
  close(): void;
};

/**
 * Creates an issuer. A retired issuer starts only with the option `revalidation`, to revoke attestations that are no
 * longer true.
 * @throws {NotAnIssuerError} if the account's state does not allow this.
 * @throws {WrongChainError} if the client's chain is not that of the deployment.
 * @throws {RpcUnavailableError} if the chain does not respond.
 * @example
 * const issuer = await createIssuer({
 *   account: issuerAccount,
 *   deployment,
 *   publicClient,
 *   guardedFetch,
 *   database: pool,
 *   allowLoopback: true,
 * });
 * const { status } = await issuer.verifyAndAttest({ did, connectedAddress: controller });
 * status; // "already-attested"
 */
export async function createIssuer(options: CreateIssuerOptions): Promise<Issuer> {
  const { account, deployment, publicClient, guardedFetch, allowLoopback = false } = options;
  const { chainClient = () => undefined, now = Date.now } = options;
  const client = createAppRegistryClient({ deployment, publicClient });
  const address = getAddress(account.address);

  const state = await client.getIssuer(address);
  const canOnlyRevoke = state.status === "retired" && options.revalidation !== undefined;
  if (state.status !== "active" && !canOnlyRevoke) {
    throw new NotAnIssuerError(state, deployment.contracts.ResolverWithStore.address);
  }

  const { mode = "send" } = options;
  // In the mode `sign`, the issuer still sends revocations.
  const sender =
    mode === "send" || options.revalidation ? await startSender(options, client, address) : undefined;
  const sign = (statement: Statement) =>
    signAttestation({ client, deployment, publicClient, issuer: address, now }, account, statement);
  const attesting: AttestationChannel =
    mode === "send" && sender ? { mode, sender, spender: { purpose: "request" } } : { mode: "sign", sign };
  const attestations = options.revalidation && (await openAttestations(options, address));
  const context: IssuerContext = {
    client,
    deployment,
    publicClient,
    guardedFetch,
    allowLoopback,
    now,
    resolveTxt: options.resolveTxt,
    issuer: address,
    attesting,
    chainClient: (id) => (id === deployment.chainId ? publicClient : chainClient(id)),
    sendCheck: ({ send }) => send(),
    rememberDid: async (did) => attestations?.saveDid(did),
  };

  const lock = createKeyedLock();
  const onEvent = options.onEvent ?? (() => undefined);
  const revalidation =
    attestations && sender
      ? createRevalidation(context, sender, attestations, { ...options.revalidation, lock, onEvent })
      : undefined;
  const running = new Map<string, Promise<VerifyAndAttestResult>>();
  return {
    address,
    mode: attesting.mode,
    readFunds: async () => (attesting.mode === "send" ? attesting.sender.readFunds() : undefined),
    revalidation,
    close() {
      revalidation?.close();
      sender?.close();
    },
    async verifyAndAttest(parameters, { client, sendCheck } = {}) {
      const request = verifyAndAttestRequestSchema.parse(parameters);
      // Don't share results between clients: one of them may have reached its spending limit.
      const key = JSON.stringify([request, client]);
      const counted = sendCheck ? { ...context, sendCheck } : context;
      const asked = client === undefined ? counted : withClient(counted, client);
      const current = running.get(key) ?? lock(request.did, () => verifyAndAttest(asked, request));
      running.set(key, current);
      return current.finally(() => running.delete(key));
    },
  };
}

/** Returns the context of a client's request. Hashes the client, so that no IP address is stored with transactions. */
function withClient(context: IssuerContext, client: string): IssuerContext {
  if (context.attesting.mode !== "send") return context;
  const hash = createHash("sha256").update(`${context.issuer} ${client}`).digest("base64url");
  return { ...context, attesting: { ...context.attesting, spender: { purpose: "request", client: hash } } };
}

function startSender(
  options: CreateIssuerOptions,
  client: AppRegistryClient,
  issuer: Address,
): Promise<Sender> {
  const { receiptTimeout = 30_000, database } = options;
  const { chainId } = options.deployment;
  const openStore = (scope: string) => openTransactionStore(database, scope);
  return createSender({ ...options, client, issuer, chainId, openStore, receiptTimeout });
}

/** Opens the store of this issuer's attestations on this resolver. */
async function openAttestations(
  { deployment, publicClient, database }: CreateIssuerOptions,
  issuer: Address,
): Promise<RevalidationStore> {
  const scope = await getIssuerScope(publicClient, deployment.chainId, issuer);
  return openRevalidationStore(database, `${scope} ${deployment.contracts.ResolverWithStore.address}`);
}

/** Statuses that end a request before further schemas. A signed attestation, for example, must be submitted first. */
const finalStatuses: ReadonlySet<AttestationOutcome["status"]> = new Set(["failed", "pending", "signed"]);

const attesters = { "did-ownership": attestOwnership, "data-hash": attestDataHash };

async function verifyAndAttest(
  context: IssuerContext,
  request: VerifyAndAttestRequest,
): Promise<VerifyAndAttestResult> {
  const { attesting } = context;
  if (attesting.mode === "send") await attesting.sender.recovered();
  const outcomes: AttestationOutcome[] = [];
  for (const schema of request.requiredSchemas) {
    const outcome = await attesters[schema](context, request);
    outcomes.push(outcome);
    if (finalStatuses.has(outcome.status)) break;
  }
  return combineOutcomes(outcomes);
}
