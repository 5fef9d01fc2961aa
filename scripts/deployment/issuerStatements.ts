import {
  type AppRegistryClient,
  type CanonicalDid,
  didHash,
  normalizeDid,
  resolverAbi,
} from "@app-registry/sdk";
import {
  type BlockRange,
  hashCanonicalDid,
  isoTime,
  readInRanges,
  resolverContract,
} from "@app-registry/sdk/internal";
import { Pool } from "pg";
import { type Address, getAbiItem, type Hex, isAddressEqual, isHash } from "viem";
import { getBlock, getBlockNumber, getLogs, readContract } from "viem/actions";
import { z } from "zod";
import {
  type AttestationEvent,
  readAttestationEvents,
} from "../../packages/issuer/src/revalidation/readAttestationEvents.ts";
import { type AttestationKey, toJobKey } from "../../packages/issuer/src/revalidation/revalidationStore.ts";
import { findBlock } from "./openNetwork.ts";
import type { ResolverCall } from "./resolverCall.ts";
import { accountSchema as issuer } from "./settings.ts";

const dateTime = z.union([z.iso.datetime({ offset: true }), z.iso.datetime({ offset: true, precision: -1 })]);

/** Time in Unix seconds. Rejects times without an offset, because their meaning depends on the machine. */
const since = z
  .string("Missing --since <time>.")
  .transform((text) => {
    if (/^\d{1,12}$/.test(text)) return Number(text);
    return dateTime.safeParse(text).success ? Math.floor(Date.parse(text) / 1_000) : -1;
  })
  .refine((time) => time >= 0, "This is neither a time like 2026-01-31T12:00:00Z nor whole Unix seconds")
  .transform(BigInt);
const did = z.string("Missing --did <did>.").transform((text) => didHash(normalizeDid(text)));
const hash = z.string().refine((text) => isHash(text), {
  error: ({ input }) => `"${input}" is not a hash (0x and 64 hexadecimal digits)`,
});

const command = <Action extends string, Shape extends z.ZodRawShape>(action: Action, shape: Shape) =>
  z.strictObject({ action: z.literal(action), ...shape });

const call = (name: ResolverCall["name"], ...args: ResolverCall["args"]) =>
  ({ action: "call", name, args }) as const;

/** Schema of the command line of `scripts/issuers.ts`: an action and its options. */
export const issuerCommandSchema = z.discriminatedUnion("action", [
  command("list", {}),
  command("add", { issuer }).transform((given) => call("addIssuer", given.issuer)),
  command("retire", { issuer }).transform((given) => call("retireIssuer", given.issuer)),
  command("distrust", { issuer, since }).transform((given) =>
    call("distrustIssuer", given.issuer, given.since),
  ),
  command("end", { issuer, did, controller: issuer.optional(), "data-hash": hash.optional() })
    .refine(
      (given) => (given.controller === undefined) !== (given["data-hash"] === undefined),
      "Name the statement by either --controller <address> or --data-hash <hash>.",
    )
    .transform(({ "data-hash": dataHash, ...given }) =>
      dataHash
        ? call("endDataHashAttestation", given.did, dataHash, given.issuer)
        : call("endDIDAttestation", given.did, given.controller ?? "0x", given.issuer),
    ),
  command("affected", { issuer, since, json: z.boolean().default(false) }),
  command("reattest", { from: issuer }),
]);

/** Source of an issuer's statements. The PostgreSQL contains the DIDs of services that are not registered yet. */
type StatementSource = { client: AppRegistryClient; issuer: Address; databaseUrl: string | undefined };

/** Statement of an issuer since a time, or block of an account since then, with its current effect. */
export type Affected = Awaited<ReturnType<typeof readAffected>>[number];

/** Reads an issuer's last statement about each wallet and document, before and since a time, and all known DIDs. */
export async function readStatements(source: StatementSource, time: bigint) {
  const { publicClient, deployment } = source.client;
  const latest = await getBlockNumber(publicClient, { cacheTime: 0 });
  const from = await findBlock(deployment.deployBlock - 1, Number(latest) + 1, async (block) => {
    const { timestamp } = await getBlock(publicClient, { blockNumber: BigInt(block) });
    return timestamp >= time;
  });
  const range = { fromBlock: BigInt(from), toBlock: latest };
  const [before, since, stored] = await Promise.all([
    readAttestationEvents(source, { fromBlock: BigInt(deployment.deployBlock), toBlock: BigInt(from - 1) }),
    readAttestationEvents(source, range),
    source.databaseUrl ? readStoredDids(source.databaseUrl) : [],
  ]);
  const dids = [...before.registeredDids, ...since.registeredDids, ...stored];
  const names = new Map(dids.map((did) => [hashCanonicalDid(did), did]));
  const findDid = (didHash: Hex): CanonicalDid | undefined => names.get(didHash);
  return { before: before.attestations, since: since.attestations, didOf: findDid, range };
}

async function readStoredDids(connectionString: string): Promise<CanonicalDid[]> {
  const database = new Pool({ connectionString });
  const result = database.query("SELECT DISTINCT did FROM app_registry_issuer.dids");
  const { rows } = await result.finally(() => database.end());
  return rows.map(({ did }) => did);
}

/**
 * Lists the statements of an issuer since a time, oldest first. Then lists the blocks since then on DIDs about which the
 * issuer stated something, because what the issuer stated may have lowered or raised their weight.
 */
export async function readAffected(source: StatementSource, time: bigint) {
  const { before, since, didOf, range } = await readStatements(source, time);
  const attestedBefore = new Set(before.filter(isAttested).map((event) => toJobKey(event).key));
  const affected = [];
  for (const event of since.sort((a, b) => Number(a.block - b.block))) {
    const { schema, didHash, subject, block } = event;
    const again = attestedBefore.has(toJobKey(event).key) ? "renewed" : "attested";
    const { timestamp } = await getBlock(source.client.publicClient, { blockNumber: block });
    affected.push({
      ...{ schema, did: didOf(didHash) ?? null, didHash, subject },
      ...{ stated: isAttested(event) ? again : "revoked", at: isoTime(timestamp) },
      ...(await readNow(source, event)),
    });
  }
  const stated = new Set([...before, ...since].map(({ didHash }) => didHash));
  const blocks = (await readBlocks(source, range)).filter(({ didHash }) => stated.has(didHash));
  return [...affected, ...blocks.map((block) => ({ ...block, did: didOf(block.didHash) ?? null }))];
}

/** Lists the blocks of accounts that were made or extended in a range, oldest first, each account of a DID once. */
async function readBlocks({ client }: StatementSource, range: BlockRange) {
  const { publicClient } = client;
  const contract = resolverContract(client);
  const event = getAbiItem({ abi: resolverAbi, name: "ControllerBlocked" });
  const logs = await readInRanges(range, (span) =>
    getLogs(publicClient, { address: contract.address, event, strict: true, ...span }),
  );
  const last = new Map(logs.map((log) => [`${log.args.didHash} ${log.args.account}`, log]));
  return Promise.all(
    [...last.values()].map(async ({ args: { didHash, account, author }, blockNumber }) => {
      const read = { ...contract, args: [didHash, account] } as const;
      const [{ timestamp }, block] = await Promise.all([
        getBlock(publicClient, { blockNumber }),
        readContract(publicClient, { ...read, functionName: "getBlock" }),
      ]);
      const live = block.blockedUntil > 0n;
      const now = { live, expiresAt: live ? isoTime(block.blockedUntil) : null, effective: live };
      const made = { author, weight: Number(block.weight), at: isoTime(timestamp), ...now };
      return { schema: "block" as const, didHash, subject: account, stated: "blocked", ...made };
    }),
  );
}

/** Returns true if the last statement is not a revocation. */
export const isAttested = ({ expiresAt }: AttestationEvent) => expiresAt !== undefined;

/** Reads the issuer's own attestation, and checks that the wallet controls the DID or that the document is attested. */
async function readNow({ client, issuer }: StatementSource, { schema, didHash, subject }: AttestationKey) {
  const [list, check] =
    schema === "did-ownership"
      ? (["getDIDAttestations", "checkDID"] as const)
      : (["getDataHashAttestations", "checkDataHashAttestation"] as const);
  const contract = { ...resolverContract(client), args: [didHash, subject] as const };
  const views = await readContract(client.publicClient, { ...contract, functionName: list });
  const own = views.find((view) => isAddressEqual(view.issuer, issuer) && view.live);
  const effective = await readContract(client.publicClient, { ...contract, functionName: check });
  return { live: own !== undefined, expiresAt: own ? isoTime(own.expiresAt) : null, effective };
}

export function affectedLine(statement: Affected): string {
  const { at, stated, schema, did, didHash, subject, live, expiresAt } = statement;
  if ("author" in statement) {
    const { author, weight } = statement;
    const state = live ? `until ${expiresAt} with the weight of ${weight} issuers` : "ended";
    return `${at}  ${stated.padEnd(8)}  ${did ?? didHash}  wallet ${subject}  by ${author}, ${state}`;
  }
  const attestation = live ? `live until ${expiresAt}` : "void";
  const what = schema === "did-ownership" ? "wallet" : "document";
  const effect = statement.effective ? "in effect now" : "not in effect now";
  return `${at}  ${stated.padEnd(8)}  ${did ?? didHash}  ${what} ${subject}  ${attestation}; ${effect}`;
}
