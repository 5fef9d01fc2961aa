import {
  type BlockParameter,
  ContractRevertError,
  type PreparedCall,
  resolverAbi,
  type SignedAttestation,
  signedAttestationSchema,
  toAppRegistryError,
} from "@app-registry/sdk";
import { getRenewalTime, hashCanonicalDid } from "@app-registry/sdk/internal";
import { type Address, type Hash, isAddressEqual, type LocalAccount, type TypedDataParameter } from "viem";
import { getBlock, getContractEvents, simulateContract } from "viem/actions";
import type { DidControlEvidence } from "../proof/didControl.ts";
import type { Sent } from "../sending/sender.ts";
import { wrapKeyErrors } from "../sending/sendingErrors.ts";
import { type IssuerContext, NotAnIssuerError } from "./issuerContext.ts";
import { type Statement, statementKinds } from "./statementKinds.ts";
import {
  type AttestationOutcome,
  type AttestationResult,
  createFailedOutcome,
  createPendingOutcome,
  createSignedOutcome,
  type FailedOutcome,
  withRenewal,
} from "./verifyAndAttestSchema.ts";

/** Maximum lifetime of a signature that the resolver accepts, in seconds. */
const LIFETIME = 86_400;

/** Backdating of signatures, in seconds. Some nodes estimate gas at an earlier time than that of their latest block. */
const BACKDATE_SECONDS = 60;

const signatureFields: TypedDataParameter[] = [
  { name: "expiresAt", type: "uint64" },
  { name: "issuer", type: "address" },
  { name: "statedAt", type: "uint64" },
  { name: "deadline", type: "uint64" },
];

type SigningContext = Pick<IssuerContext, "client" | "deployment" | "publicClient" | "issuer" | "now">;

/**
 * Signs an attestation of the maximum lifetime for someone else to submit within a day (EIP-712, types of
 * `IResolver.sol`). Signing twice is harmless: the newer attestation renews the older one, and the older one has no
 * effect after the newer one.
 * @throws {RpcUnavailableError} if the chain does not respond.
 * @throws {IssuerKeyError} if the key can't sign.
 */
export async function signAttestation(
  context: SigningContext,
  account: LocalAccount,
  statement: Statement,
): Promise<SignedAttestation> {
  const { deployment, issuer } = context;
  const statedAt = await chooseStatedAt(context, statement);
  const signed = { issuer, statedAt, deadline: statedAt + LIFETIME };
  const { name, type, primaryType } = statementKinds[statement.schema];
  const signing = account.signTypedData({
    domain: {
      name: "App Registry Resolver",
      version: "1",
      chainId: deployment.chainId,
      verifyingContract: deployment.contracts.ResolverWithStore.address,
    },
    types: { [primaryType]: [{ name: "didHash", type: "bytes32" }, { name, type }, ...signatureFields] },
    primaryType,
    message: {
      didHash: hashCanonicalDid(statement.did),
      [name]: statement.subject,
      expiresAt: 0n,
      issuer,
      statedAt: BigInt(signed.statedAt),
      deadline: BigInt(signed.deadline),
    },
  });
  const signature = await wrapKeyErrors(signing);
  const { schema, did, subject } = statement;
  return signedAttestationSchema.parse({
    ...{ schema, did, [name]: subject, expiresAt: 0 },
    signature: { ...signed, signature },
  });
}

/**
 * Returns the date of a signature, in Unix seconds. It is slightly backdated, but not before the issuer was added, and
 * after both the issuer's latest statement and a lost challenge, which an older statement can't change.
 */
async function chooseStatedAt(context: SigningContext, { schema, did, subject }: Statement): Promise<number> {
  const { client, publicClient, issuer, now } = context;
  const [{ addedAt = 0 }, attestations, block] = await Promise.all([
    client.getIssuer(issuer),
    statementKinds[schema].read(client, { did, subject }),
    getBlock(publicClient, { blockTag: "latest" }),
  ]).catch((error: unknown) => {
    throw toAppRegistryError(error);
  });
  const words = attestations.map(({ issuer: by, statedAt, endedAt = 0 }) =>
    Math.max(endedAt, isAddressEqual(by, issuer) ? statedAt : 0),
  );
  // Use the chain's clock, which the resolver checks, or this machine's if the latest block is older than half a day.
  const time = Math.max(Number(block.timestamp), Math.floor(now() / 1_000) - LIFETIME / 2);
  return Math.max(time - BACKDATE_SECONDS, addedAt, Math.max(0, ...words) + 1);
}

/** Lists the live attestations of a statement. `txHash` is the transaction by which this issuer just attested it. */
export async function liveAttestations(
  context: IssuerContext,
  { schema, did, subject }: Statement,
  { txHash, ...at }: { txHash?: Hash | undefined } & BlockParameter,
): Promise<AttestationResult[]> {
  const { name, attested, read } = statementKinds[schema];
  const { client, publicClient, deployment } = context;
  const didHash = hashCanonicalDid(did);
  const attestations = await read(client, { did, subject, ...at });
  const live = attestations.filter((attestation) => attestation.live);
  const isSent = (issuer: Address) => txHash !== undefined && isAddressEqual(issuer, context.issuer);
  const query = {
    address: deployment.contracts.ResolverWithStore.address,
    abi: resolverAbi,
    fromBlock: BigInt(deployment.deployBlock),
    toBlock: "latest",
    strict: true,
    eventName: attested,
    args: { didHash, [name]: subject },
  } as const;
  const needsLogs = live.some(({ issuer }) => !isSent(issuer));
  // Ignore errors: many RPCs limit the range of a log query, and an attestation is valid without its transaction hash.
  const events = needsLogs ? await getContractEvents(publicClient, query).catch(() => []) : [];
  return live.map(({ issuer, statedAt, expiresAt }) => {
    const event = events.findLast(
      ({ args }) => isAddressEqual(args.issuer, issuer) && Number(args.statedAt) === statedAt,
    );
    const hash = isSent(issuer) && txHash ? txHash : (event?.transactionHash ?? null);
    return { schema, didHash, subject, issuer, statedAt, expiresAt, txHash: hash };
  });
}

/** Attestation that this issuer just sent. For an older one, the transaction and the evidence are not known. */
type SentAttestation = { txHash?: Hash; evidence?: DidControlEvidence } & BlockParameter;

/** Statement to attest, with the functions that check it. */
export type AttestationTask = {
  statement: Statement;
  /** Latest block at which the statement was known not to be attested. */
  readAt: bigint;
  /** Reads the attestation from the resolver. Returns `undefined` if the resolver accepts none. */
  find(sent: SentAttestation): Promise<AttestationOutcome | undefined>;
  /** Checks the statement. Returns a failure, or the evidence for it. */
  check(): Promise<FailedOutcome | { evidence?: DidControlEvidence }>;
};

/**
 * Attests a statement. Waits for its open transaction, if there is one. Does nothing if it is attested and not due for
 * renewal.
 */
export async function attestStatement(
  context: IssuerContext,
  task: AttestationTask,
): Promise<AttestationOutcome> {
  const { attesting } = context;
  const open = attesting.mode === "send" ? await attesting.sender.resume(toKey(task)) : undefined;
  if (open) return toOutcome(task, open);
  const found = await task.find({});
  if (!found) return attest(context, task);
  const present: AttestationOutcome =
    found.status === "attested" ? { ...found, status: "already-attested" } : found;
  if (!(await isDueForRenewal(context, present.attestations))) return present;
  return withRenewal(present, attest(context, task));
}

/** Returns the key of a statement's transaction. At most one transaction per key is open. */
const toKey = ({ statement: { did, subject } }: AttestationTask): string => `${did} ${subject}`;

async function attest(context: IssuerContext, task: AttestationTask): Promise<AttestationOutcome> {
  const { attesting, client } = context;
  const { statement, readAt } = task;
  const call = statementKinds[statement.schema].prepareAttest(client, statement);
  const refusal = await findRefusal(context, call);
  if (refusal) return refusal;
  if (attesting.mode === "send") await attesting.sender.assertFunds(attesting.spender);
  const checked = await task.check();
  if ("status" in checked) return checked;
  if (attesting.mode === "sign") return createSignedOutcome(await attesting.sign(statement));
  const { sender, spender } = attesting;
  const sent = await sender.send({ key: toKey(task), call, readAt, spender });
  return toOutcome(task, sent, checked.evidence);
}

/**
 * Returns true if live attestations should be renewed before they expire: each is in the last quarter of the maximum
 * lifetime, or is by a retired or distrusted issuer, which can't renew it.
 */
async function isDueForRenewal(
  { client, now }: Pick<IssuerContext, "client" | "now">,
  attestations: readonly AttestationResult[],
): Promise<boolean> {
  const [{ maxTtl }, issuers] = await Promise.all([client.getResolverPolicy(), client.getIssuers()]);
  const active = issuers.filter(({ status }) => status === "active");
  return !attestations.some(
    ({ issuer, expiresAt }) =>
      active.some((one) => isAddressEqual(one.issuer, issuer)) &&
      now() < getRenewalTime(expiresAt * 1_000, maxTtl * 1_000),
  );
}

/**
 * Returns the reason the resolver would reject an attestation by the issuer now, or `undefined` if it would accept it.
 * @throws {NotAnIssuerError} if the issuer was retired or distrusted after it started.
 * @throws {RpcUnavailableError} if the chain does not respond.
 */
async function findRefusal(
  { client, publicClient, deployment, issuer }: IssuerContext,
  call: PreparedCall,
): Promise<FailedOutcome | undefined> {
  try {
    await simulateContract(publicClient, { ...call, account: issuer });
    return undefined;
  } catch (error) {
    const refusal = toAppRegistryError(error);
    if (!(refusal instanceof ContractRevertError)) throw refusal;
    if (refusal.errorName === "NotIssuer") {
      throw new NotAnIssuerError(
        await client.getIssuer(issuer),
        deployment.contracts.ResolverWithStore.address,
      );
    }
    if (refusal.errorName === "RecentlyRevoked") return recentlyRevoked(Number(refusal.args.attestableFrom));
    // Ignore this error: it occurs only in the block of a lost challenge, so the transaction succeeds in the next
    // block.
    if (refusal.errorName === "StaleStatement") return undefined;
    throw refusal;
  }
}

function recentlyRevoked(attestableFrom: number): FailedOutcome {
  const detail =
    "This issuer recently revoked this attestation and can make it again from " +
    `${new Date(attestableFrom * 1_000).toISOString()}.`;
  return createFailedOutcome("recently-revoked", detail, { attestableFrom });
}

/** Converts the result of a transaction to an outcome. Reads the resolver at the block of the receipt. */
async function toOutcome(
  { find }: AttestationTask,
  sent: Sent,
  evidence?: DidControlEvidence,
): Promise<AttestationOutcome> {
  if (sent.status === "pending") return createPendingOutcome(sent.hash);
  const txHashes = [sent.hash];
  if (sent.status === "reverted") {
    return createFailedOutcome("transaction-reverted", sent.reason, { retryable: true, txHashes });
  }
  const attested = await find({
    txHash: sent.hash,
    blockNumber: sent.blockNumber,
    ...(evidence && { evidence }),
  });
  const detail = "The attestation is on the chain, but the resolver does not accept it.";
  return attested ?? createFailedOutcome("attestation-not-live", detail, { retryable: true, txHashes });
}
