import { appRegistryAbi, type CanonicalDid, resolverAbi } from "@app-registry/sdk";
import {
  type BlockRange,
  readInRanges,
  registryContract,
  resolverContract,
  toRpcError,
} from "@app-registry/sdk/internal";
import { type Address, type Hex, numberToHex, pad, parseEventLogs, toEventSelector } from "viem";
import { getLogs } from "viem/actions";
import type { IssuerContext } from "../attest/issuerContext.ts";
import { type AttestationKey, toJobKey } from "./revalidationStore.ts";

/** Latest event of an attestation. Times are Unix seconds. */
export type AttestationEvent = AttestationKey & {
  block: bigint;
  statedAt: number;
  /** Expiry, or `undefined` if the attestation was revoked. */
  expiresAt: number | undefined;
};

/** Block or challenge of one account by another. `at` is in Unix seconds. */
type Dispute = { didHash: Hex; accounts: readonly Address[]; at: number };

/** Events in a range of blocks: the latest one per attestation of an issuer, the registered DIDs, and the disputes. */
export type AttestationEvents = {
  attestations: AttestationEvent[];
  registeredDids: CanonicalDid[];
  disputes: Dispute[];
};

type WrittenName = `${"DID" | "DataHash"}${"Attested" | "Revoked"}`;
type WrittenAbi<Entry> = Extract<Entry, { type: "event"; name: WrittenName }>;

/** ABI of the attestation events. The issuer is the third indexed argument of each. */
const eventsAbi = resolverAbi.filter(
  (entry): entry is WrittenAbi<(typeof resolverAbi)[number]> =>
    entry.type === "event" && /(Attested|Revoked)$/.test(entry.name),
);
type OtherName = "AppMinted" | "ControllerBlocked" | "DIDChallenged";
type OtherAbi<Entry> = Extract<Entry, { type: "event"; name: OtherName }>;
const contractsAbi = [...appRegistryAbi, ...resolverAbi];

/** ABI of the other events that affect checks, by any account. */
const othersAbi = contractsAbi.filter(
  (entry): entry is OtherAbi<(typeof contractsAbi)[number]> =>
    entry.type === "event" && /^(AppMinted|ControllerBlocked|DIDChallenged)$/.test(entry.name),
);
const selectors = eventsAbi.map((event) => toEventSelector(event));

type AttestationLog = Awaited<ReturnType<typeof readWritten>>[number];

type Source = Pick<IssuerContext, "client" | "issuer">;

/**
 * Reads the events that affect an issuer's attestations in a range of blocks, with only the latest event per
 * attestation.
 * @throws {RpcUnavailableError} if the chain does not respond.
 */
export async function readAttestationEvents(source: Source, range: BlockRange): Promise<AttestationEvents> {
  const { publicClient } = source.client;
  const address = [registryContract(source.client).address, resolverContract(source.client).address];
  const [written, others] = await Promise.all([
    readInRanges(range, (span) => readWritten(source, span)),
    readInRanges(range, (span) =>
      getLogs(publicClient, { address, events: othersAbi, strict: true, ...span }),
    ),
  ]).catch((error: unknown) => {
    throw toRpcError(error);
  });
  return {
    attestations: keepLatestPerKey(written),
    registeredDids: others.flatMap(({ args }) => ("did" in args ? [args.did as CanonicalDid] : [])),
    disputes: others.flatMap(({ args }) => {
      if ("did" in args) return [];
      const [accounts, at] =
        "author" in args
          ? [[args.account, args.author], args.blockedAt]
          : // A challenge expires after twice the period in which it can't be resolved, so this is its start.
            [[args.incumbent, args.challenger], 2n * args.resolvableFrom - args.expiresAt];
      return [{ didHash: args.didHash, accounts, at: Number(at) }];
    }),
  };
}

/** Reads all of an issuer's events in one request, oldest first. viem can filter arguments only of a single event. */
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

function keepLatestPerKey(events: readonly AttestationLog[]): AttestationEvent[] {
  const last = new Map<string, AttestationEvent>();
  for (const { args, blockNumber } of events) {
    const [schema, subject] =
      "controller" in args
        ? (["did-ownership", args.controller] as const)
        : (["data-hash", args.dataHash] as const);
    const key: AttestationKey = { schema, didHash: args.didHash, subject };
    last.set(toJobKey(key).key, {
      ...key,
      // Convert the block number, because `parseEventLogs` leaves it in hexadecimal.
      block: BigInt(blockNumber),
      statedAt: Number(args.statedAt),
      expiresAt: "expiresAt" in args ? Number(args.expiresAt) : undefined,
    });
  }
  return [...last.values()];
}
