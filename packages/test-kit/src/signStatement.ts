import type { Hex, LocalAccount, PublicClient } from "viem";
import type { IssuerSignature } from "../../sdk/src/client/attestation.ts";
import { toDidHash } from "../../sdk/src/client/context.ts";
import type { Deployment } from "../../sdk/src/deployment.ts";

const statementFields = [
  { name: "issuer", type: "address" },
  { name: "statedAt", type: "uint64" },
  { name: "deadline", type: "uint64" },
];

/** Subject of a statement: a controller or a dataHash. */
type Subject = {
  primaryType: `${"Attest" | "Revoke"}${"DID" | "DataHash"}`;
  value: Hex;
  /** Lifetime of the attestation in seconds. Default: the longest one. */
  lifetime?: number;
  /** Expiry of the attestation in Unix seconds, instead of a lifetime. */
  expiresAt?: bigint;
  /** Seconds between the signature and the last block. */
  age?: number;
};

type Signing = {
  chain: Pick<PublicClient, "getBlock">;
  issuer: { account: unknown };
  deployment: Deployment;
};

/** Signs a statement of an issuer (EIP-712) that can be submitted for a day. */
export async function signStatement(
  { chain, issuer, deployment }: Signing,
  did: string,
  { primaryType, value, lifetime, age = 0, ...subject }: Subject,
): Promise<IssuerSignature> {
  const { address, signTypedData } = issuer.account as LocalAccount;
  const statedAt = Number((await chain.getBlock()).timestamp) - age;
  const statement = { issuer: address, statedAt, deadline: statedAt + 86_400 };
  const { expiresAt = lifetime === undefined ? 0n : BigInt(statedAt + lifetime) } = subject;
  const [name, type] = primaryType.endsWith("DID") ? ["controller", "address"] : ["dataHash", "bytes32"];
  const signature = await signTypedData({
    domain: {
      name: "App Registry Resolver",
      version: "1",
      chainId: deployment.chainId,
      verifyingContract: deployment.contracts.ResolverWithStore.address,
    },
    types: {
      [primaryType]: [
        { name: "didHash", type: "bytes32" },
        { name, type },
        ...(primaryType.startsWith("Attest") ? [{ name: "expiresAt", type: "uint64" }] : []),
        ...statementFields,
      ],
    },
    primaryType,
    message: { didHash: toDidHash(did), [name]: value, expiresAt, ...statement },
  });
  return { ...statement, signature };
}
