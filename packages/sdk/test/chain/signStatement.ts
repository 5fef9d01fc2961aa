import type { Hex, LocalAccount } from "viem";
import { didKey } from "../../src/client/context.ts";
import type { IssuerSignature } from "../../src/client/issuerSignature.ts";
import type { TestRegistry } from "./testRegistry.ts";

const statementFields = [
  { name: "issuer", type: "address" },
  { name: "statedAt", type: "uint64" },
  { name: "deadline", type: "uint64" },
];

/** What an issuer signs about: a controller or a dataHash. */
type Subject = { primaryType: "AttestDID" | "AttestDataHash"; value: Hex };

/** Signs a statement of the test registry's issuer (EIP-712), valid for an hour. */
export async function signStatement(
  { chain, issuer, deployment }: TestRegistry,
  did: string,
  { primaryType, value }: Subject,
): Promise<IssuerSignature> {
  const statedAt = Number((await chain.getBlock()).timestamp);
  const statement = { issuer: issuer.account.address, statedAt, deadline: statedAt + 3600 };
  const [name, type] = primaryType === "AttestDID" ? ["controller", "address"] : ["dataHash", "bytes32"];
  const signature = await (issuer.account as LocalAccount).signTypedData({
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
        { name: "expiresAt", type: "uint64" },
        ...statementFields,
      ],
    },
    primaryType,
    message: { didHash: didKey(did), [name]: value, expiresAt: 0n, ...statement },
  });
  return { ...statement, signature };
}
