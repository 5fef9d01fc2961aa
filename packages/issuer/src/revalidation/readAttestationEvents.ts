import { type CanonicalDid, resolverAbi } from "@app-registry/sdk";
import {
  type BlockRange,
  readInRanges,
  registryContract,
  resolverContract,
  toRpcError,
} from "@app-registry/sdk/internal";
import { numberToHex, pad, parseEventLogs, toEventSelector } from "viem";
import { getContractEvents } from "viem/actions";
import type { IssuerContext } from "../issuerContext.ts";
import { type AttestationKey, jobKeyOf } from "./rememberedAttestation.ts";

/** An attestation as it was written or revoked last. Times are Unix seconds. */
export type AttestationEvent = AttestationKey & {
  block: bigint;
  statedAt: number;
  /** Undefined for one that was revoked. */
  expiresAt: number | undefined;
};

/** What some blocks say of an issuer's attestations: the last of each, and the DIDs that were registered. */
export type AttestationEvents = { attestations: AttestationEvent[]; registeredDids: CanonicalDid[] };

type WrittenName = `${"DID" | "DataHash"}${"Attested" | "Revoked"}`;
type WrittenAbi<Entry> = Extract<Entry, { type: "event"; name: WrittenName }>;

/** The events of an attestation. The issuer is the third indexed argument of each. */
const eventsAbi = resolverAbi.filter(
  (entry): entry is WrittenAbi<(typeof resolverAbi)[number]> =>
    entry.type === "event" && /(Attested|Revoked)$/.test(entry.name),
);
const selectors = eventsAbi.map((event) => toEventSelector(event));

type Written = Awaited<ReturnType<typeof readWritten>>[number];

type Source = Pick<IssuerContext, "client" | "issuer">;

/**
 * Reads what became of an issuer's attestations in a span of blocks. Of an attestation that was written and revoked
 * in it, the later counts.
 * @throws RpcUnavailableError when the chain does not answer.
 */
export async function readAttestationEvents(source: Source, range: BlockRange): Promise<AttestationEvents> {
  const { publicClient } = source.client;
  const [written, minted] = await Promise.all([
    readInRanges(range, (span) => readWritten(source, span)),
    readInRanges(range, (span) =>
      getContractEvents(publicClient, {
        ...registryContract(source.client),
        ...span,
        eventName: "AppMinted",
        strict: true,
      }),
    ),
  ]).catch((error: unknown) => {
    throw toRpcError(error);
  });
  return {
    attestations: lastOfEach(written),
    registeredDids: minted.map(({ args }) => args.did as CanonicalDid),
  };
}

/** Asks for all of an issuer's events at once, oldest first; viem filters the arguments of a single event only. */
async function readWritten({ client, issuer }: Source, { fromBlock, toBlock }: BlockRange) {
  const { address } = resolverContract(client);
  const topics = [selectors, null, null, pad(issuer)];
  const blocks = { fromBlock: numberToHex(fromBlock), toBlock: numberToHex(toBlock) };
  const logs = await client.publicClient.request({
    method: "eth_getLogs",
    params: [{ address, topics, ...blocks }],
  });
  return parseEventLogs({ abi: eventsAbi, logs });
}

function lastOfEach(events: readonly Written[]): AttestationEvent[] {
  const last = new Map<string, AttestationEvent>();
  for (const { args, blockNumber } of events) {
    const [schema, subject] =
      "controller" in args
        ? (["did-ownership", args.controller] as const)
        : (["data-hash", args.dataHash] as const);
    const key: AttestationKey = { schema, didHash: args.didHash, subject };
    last.set(jobKeyOf(key).key, {
      ...key,
      // An RPC writes it in hexadecimal, and viem leaves it so.
      block: BigInt(blockNumber),
      statedAt: Number(args.statedAt),
      expiresAt: "expiresAt" in args ? Number(args.expiresAt) : undefined,
    });
  }
  return [...last.values()];
}
