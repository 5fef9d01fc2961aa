import type { Attestation, BlockParameter, CanonicalDid } from "@app-registry/sdk";
import { resolverAbi } from "@app-registry/sdk";
import { hashCanonicalDid } from "@app-registry/sdk/internal";
import { type Address, type Hash, type Hex, isAddressEqual } from "viem";
import type { IssuerContext } from "./issuerContext.ts";
import type { AttestationResult } from "./verifyAndAttestSchema.ts";

/** Lists the live attestations that a wallet controls a DID. */
export async function ownershipAttestations(
  context: IssuerContext,
  { txHash, ...about }: { did: CanonicalDid; controller: Address; txHash?: Hash } & BlockParameter,
): Promise<AttestationResult[]> {
  const live = await context.client.getDidAttestations(about);
  const subject = {
    schema: "did-ownership",
    didHash: hashCanonicalDid(about.did),
    subject: about.controller,
  } as const;
  const args = { didHash: subject.didHash, controller: about.controller };
  return toResults(context, live, subject, txHash, () =>
    context.publicClient.getContractEvents({ ...logs(context), eventName: "DIDAttested", args }),
  );
}

/** Lists the live attestations of a dataHash. */
export async function dataHashAttestations(
  context: IssuerContext,
  { txHash, ...about }: { did: CanonicalDid; dataHash: Hex; txHash?: Hash } & BlockParameter,
): Promise<AttestationResult[]> {
  const live = await context.client.getDataHashAttestations(about);
  const subject = {
    schema: "data-hash",
    didHash: hashCanonicalDid(about.did),
    subject: about.dataHash,
  } as const;
  const args = { didHash: subject.didHash, dataHash: about.dataHash };
  return toResults(context, live, subject, txHash, () =>
    context.publicClient.getContractEvents({ ...logs(context), eventName: "DataHashAttested", args }),
  );
}

const logs = ({ deployment }: IssuerContext) =>
  ({
    address: deployment.contracts.ResolverWithStore.address,
    abi: resolverAbi,
    fromBlock: BigInt(deployment.deployBlock),
    toBlock: "latest",
    strict: true,
  }) as const;

type AttestedLog = { transactionHash: Hash; args: { issuer: Address; statedAt: bigint } };

/** Adds transaction hashes to attestations. They come from `txHash`, or for older attestations from the logs. */
async function toResults(
  context: IssuerContext,
  attestations: Attestation[],
  subject: Pick<AttestationResult, "schema" | "didHash" | "subject">,
  sent: Hash | undefined,
  readLogs: () => Promise<readonly AttestedLog[]>,
): Promise<AttestationResult[]> {
  const live = attestations.filter((attestation) => attestation.live);
  const isOurs = (issuer: Address) => sent !== undefined && isAddressEqual(issuer, context.issuer);
  const needsLogs = live.some(({ issuer }) => !isOurs(issuer));
  // Ignore errors: many RPCs limit the range of a log query, and an attestation is valid without its transaction hash.
  const events = needsLogs ? await readLogs().catch(() => []) : [];
  return live.map(({ issuer, statedAt, expiresAt }) => {
    const event = events.findLast(
      ({ args }) => isAddressEqual(args.issuer, issuer) && Number(args.statedAt) === statedAt,
    );
    const txHash = isOurs(issuer) && sent ? sent : (event?.transactionHash ?? null);
    return { ...subject, issuer, statedAt, expiresAt, txHash };
  });
}
