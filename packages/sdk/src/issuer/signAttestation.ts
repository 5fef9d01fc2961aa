import { hexToBigInt, type LocalAccount, type TypedDataParameter, toHex } from "viem";
import { getBlock, readContract } from "viem/actions";
import { resolverAbi } from "../abi/index.ts";
import type { SignedAttestation } from "../attest/index.ts";
import { didHash } from "../did.ts";
import { toAppRegistryError } from "../errors/index.ts";
import type { IssuerContext } from "./issuerContext.ts";

/** What is to be attested. */
export type Statement =
  | { schema: "did-ownership"; did: string; controller: `0x${string}` }
  | { schema: "data-hash"; did: string; dataHash: `0x${string}` };

/** The longest that the resolver takes a signature for, in seconds. */
const LIFETIME = 86_400;

/** Seconds by which a signature is dated back: some nodes estimate gas at an earlier time than their latest block's. */
const MARGIN = 60;

const signatureFields: TypedDataParameter[] = [
  { name: "expiresAt", type: "uint64" },
  { name: "issuer", type: "address" },
  { name: "epoch", type: "uint32" },
  { name: "issuedAt", type: "uint64" },
  { name: "deadline", type: "uint64" },
  { name: "nonce", type: "uint256" },
];

/**
 * Signs an attestation of the longest lifetime for somebody else to send, within a day (EIP-712, types of
 * `IResolver.sol`). Signing twice does no harm: the second attestation that is sent renews the first.
 * @throws RpcUnavailableError when the chain does not answer.
 */
export async function signAttestation(
  { deployment, publicClient, issuer }: Pick<IssuerContext, "deployment" | "publicClient" | "issuer">,
  account: LocalAccount,
  statement: Statement,
): Promise<SignedAttestation> {
  const resolver = deployment.contracts.ResolverWithStore.address;
  const read = { address: resolver, abi: resolverAbi, functionName: "issuerEpoch", args: [issuer] } as const;
  const [epoch, block] = await Promise.all([
    readContract(publicClient, read),
    getBlock(publicClient, { blockTag: "latest" }),
  ]).catch((error: unknown) => {
    throw toAppRegistryError(error);
  });
  // By the chain's clock, which judges it; by this machine's where no block was made for half a day.
  const now = Math.floor(Date.now() / 1_000);
  const issuedAt = Math.max(Number(block.timestamp), now - LIFETIME / 2) - MARGIN;
  const signed = { issuer, epoch, issuedAt, deadline: issuedAt + LIFETIME };
  const nonce = hexToBigInt(toHex(crypto.getRandomValues(new Uint8Array(32))));
  const [primaryType, subject, value] =
    statement.schema === "did-ownership"
      ? ["AttestDID", { name: "controller", type: "address" }, statement.controller]
      : ["AttestDataHash", { name: "dataHash", type: "bytes32" }, statement.dataHash];
  const signature = await account.signTypedData({
    domain: {
      name: "App Registry Resolver",
      version: "1",
      chainId: deployment.chainId,
      verifyingContract: resolver,
    },
    types: { [primaryType]: [{ name: "didHash", type: "bytes32" }, subject, ...signatureFields] },
    primaryType,
    message: {
      didHash: didHash(statement.did),
      [subject.name]: value,
      expiresAt: 0n,
      ...signed,
      issuedAt: BigInt(issuedAt),
      deadline: BigInt(signed.deadline),
      nonce,
    },
  });
  return { ...statement, expiresAt: 0, signature: { ...signed, nonce: String(nonce), signature } };
}
