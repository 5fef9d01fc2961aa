import type { CanonicalDid } from "@app-registry/sdk";
import {
  type BlockRange,
  readInRanges,
  registryContract,
  resolverContract,
  toRpcError,
} from "@app-registry/sdk/internal";
import type { Address, Hex } from "viem";
import { getContractEvents } from "viem/actions";
import type { IssuerContext } from "../issuerContext.ts";
import type { AttestationKey } from "./rememberedAttestation.ts";

/** What some blocks say of an issuer's attestations: the last of each, and the DIDs that were registered. */
export type AttestationEvents = {
  attested: (AttestationKey & { block: bigint; statedAt: number; expiresAt: number })[];
  revoked: (AttestationKey & { block: bigint })[];
  registeredDids: CanonicalDid[];
};

type Written = {
  args: { didHash: Hex; statedAt: bigint; expiresAt?: bigint };
  blockNumber: bigint;
  logIndex: number;
};

/**
 * Reads what became of an issuer's attestations in a span of blocks. Of an attestation that was written and revoked
 * in it, the later counts.
 * @throws RpcUnavailableError when the chain does not answer.
 */
export async function readAttestationEvents(
  { client, issuer }: Pick<IssuerContext, "client" | "issuer">,
  range: BlockRange,
): Promise<AttestationEvents> {
  const { publicClient } = client;
  const resolver = resolverContract(client);
  const read = <Log>(events: (span: BlockRange) => Promise<readonly Log[]>) => readInRanges(range, events);
  const byIssuer = { args: { issuer }, strict: true } as const;
  const [attestedDids, revokedDids, attestedHashes, revokedHashes, minted] = await Promise.all([
    read((span) =>
      getContractEvents(publicClient, { ...resolver, ...span, ...byIssuer, eventName: "DIDAttested" }),
    ),
    read((span) =>
      getContractEvents(publicClient, { ...resolver, ...span, ...byIssuer, eventName: "DIDRevoked" }),
    ),
    read((span) =>
      getContractEvents(publicClient, { ...resolver, ...span, ...byIssuer, eventName: "DataHashAttested" }),
    ),
    read((span) =>
      getContractEvents(publicClient, { ...resolver, ...span, ...byIssuer, eventName: "DataHashRevoked" }),
    ),
    read((span) =>
      getContractEvents(publicClient, {
        ...registryContract(client),
        ...span,
        eventName: "AppMinted",
        strict: true,
      }),
    ),
  ]).catch((error: unknown) => {
    throw toRpcError(error);
  });
  const ofController = (log: Written & { args: { controller: Address } }) =>
    ({ ...log, schema: "did-ownership", subject: log.args.controller }) as const;
  const ofDataHash = (log: Written & { args: { dataHash: Hex } }) =>
    ({ ...log, schema: "data-hash", subject: log.args.dataHash }) as const;
  const written = [
    ...[...attestedDids, ...revokedDids].map(ofController),
    ...[...attestedHashes, ...revokedHashes].map(ofDataHash),
  ].sort((a, b) => Number(a.blockNumber - b.blockNumber) || a.logIndex - b.logIndex);
  return {
    ...lastOfEach(written),
    registeredDids: [...new Set(minted.map(({ args }) => args.did as CanonicalDid))],
  };
}

function lastOfEach(
  events: readonly (Written & Pick<AttestationKey, "schema" | "subject">)[],
): Pick<AttestationEvents, "attested" | "revoked"> {
  const last = new Map(
    events.map((event) => [`${event.schema} ${event.args.didHash} ${event.subject}`, event]),
  );
  const found: Pick<AttestationEvents, "attested" | "revoked"> = { attested: [], revoked: [] };
  for (const { schema, subject, args, blockNumber: block } of last.values()) {
    const { didHash, statedAt, expiresAt } = args;
    const key = { schema, didHash, subject, block };
    if (expiresAt === undefined) found.revoked.push(key);
    else found.attested.push({ ...key, statedAt: Number(statedAt), expiresAt: Number(expiresAt) });
  }
  return found;
}
