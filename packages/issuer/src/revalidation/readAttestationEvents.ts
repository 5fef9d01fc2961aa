import { type CanonicalDid, resolverAbi } from "@app-registry/sdk";
import {
  type BlockRange,
  readInRanges,
  registryContract,
  resolverContract,
  toRpcError,
} from "@app-registry/sdk/internal";
import { formatLog, numberToHex, pad, parseEventLogs, toEventSelector } from "viem";
import { getContractEvents } from "viem/actions";
import type { IssuerContext } from "../issuerContext.ts";
import type { AttestationKey } from "./rememberedAttestation.ts";

/** What some blocks say of an issuer's attestations: the last of each, and the DIDs that were registered. */
export type AttestationEvents = {
  attested: (AttestationKey & { block: bigint; statedAt: number; expiresAt: number })[];
  revoked: (AttestationKey & { block: bigint })[];
  registeredDids: CanonicalDid[];
};

const ofAttestations = ["DIDAttested", "DIDRevoked", "DataHashAttested", "DataHashRevoked"] as const;
type NamedEvent<Entry> = Extract<Entry, { type: "event"; name: (typeof ofAttestations)[number] }>;

/** The events of an attestation. The issuer is the third indexed argument of each. */
const eventsAbi = resolverAbi.filter(
  (entry): entry is NamedEvent<(typeof resolverAbi)[number]> =>
    entry.type === "event" && ofAttestations.some((name) => name === entry.name),
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
    ...lastOfEach(written),
    registeredDids: [...new Set(minted.map(({ args }) => args.did as CanonicalDid))],
  };
}

/** Asks for all of an issuer's events at once, oldest first; viem filters the arguments of a single event only. */
async function readWritten({ client, issuer }: Source, { fromBlock, toBlock }: BlockRange) {
  const { address } = resolverContract(client);
  const topics = [selectors, null, null, pad(issuer)];
  const blocks = { fromBlock: numberToHex(fromBlock), toBlock: numberToHex(toBlock) };
  const found = await client.publicClient.request({
    method: "eth_getLogs",
    params: [{ address, topics, ...blocks }],
  });
  const logs = found.map((log) => formatLog(log));
  return parseEventLogs({ abi: eventsAbi, logs, strict: true });
}

function lastOfEach(events: readonly Written[]): Pick<AttestationEvents, "attested" | "revoked"> {
  const keyed = events.map((event) => ({ ...event, key: keyOf(event) }));
  const last = new Map(keyed.map((event) => [Object.values(event.key).join(" "), event]));
  const found: Pick<AttestationEvents, "attested" | "revoked"> = { attested: [], revoked: [] };
  for (const { key, args, blockNumber: block } of last.values()) {
    if (!("expiresAt" in args)) found.revoked.push({ ...key, block });
    else {
      const { statedAt, expiresAt } = args;
      found.attested.push({ ...key, block, statedAt: Number(statedAt), expiresAt: Number(expiresAt) });
    }
  }
  return found;
}

const keyOf = ({ args }: Written): AttestationKey =>
  "controller" in args
    ? { schema: "did-ownership", didHash: args.didHash, subject: args.controller }
    : { schema: "data-hash", didHash: args.didHash, subject: args.dataHash };
