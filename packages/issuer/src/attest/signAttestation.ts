import type { SignedAttestation } from "@app-registry/sdk";
import { toAppRegistryError } from "@app-registry/sdk";
import { hashCanonicalDid } from "@app-registry/sdk/internal";
import { isAddressEqual, type LocalAccount, type TypedDataParameter } from "viem";
import { getBlock } from "viem/actions";
import { wrapKeyErrors } from "../sending/sendingErrors.ts";
import type { IssuerContext, Statement } from "./issuerContext.ts";

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
  const [primaryType, subject, value] =
    statement.schema === "did-ownership"
      ? ["AttestDID", { name: "controller", type: "address" }, statement.controller]
      : ["AttestDataHash", { name: "dataHash", type: "bytes32" }, statement.dataHash];
  const signing = account.signTypedData({
    domain: {
      name: "App Registry Resolver",
      version: "1",
      chainId: deployment.chainId,
      verifyingContract: deployment.contracts.ResolverWithStore.address,
    },
    types: { [primaryType]: [{ name: "didHash", type: "bytes32" }, subject, ...signatureFields] },
    primaryType,
    message: {
      didHash: hashCanonicalDid(statement.did),
      [subject.name]: value,
      expiresAt: 0n,
      issuer,
      statedAt: BigInt(signed.statedAt),
      deadline: BigInt(signed.deadline),
    },
  });
  const signature = await wrapKeyErrors(signing);
  return { ...statement, expiresAt: 0, signature: { ...signed, signature } };
}

/**
 * Returns the date of a signature, in Unix seconds. It is slightly backdated, but not before the issuer was added, and
 * after both the issuer's latest statement and a lost challenge, which an older statement can't change.
 */
async function chooseStatedAt(context: SigningContext, statement: Statement): Promise<number> {
  const { client, publicClient, issuer, now } = context;
  const [{ addedAt = 0 }, attestations, block] = await Promise.all([
    client.getIssuer(issuer),
    statement.schema === "did-ownership"
      ? client.getDidAttestations(statement)
      : client.getDataHashAttestations(statement),
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
