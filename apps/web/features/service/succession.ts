import "server-only";
import {
  type AppSummary,
  isCanonicalDid,
  parseVersion,
  type SearchResult,
  type VersionRecord,
} from "@app-registry/sdk";
import { getLatestBlockNumber } from "@app-registry/sdk/internal";
import { TtlCache, withinTimeout } from "@app-registry/server/async";
import type { Address } from "viem";
import { searchRegistry } from "../../lib/server/records/searchRegistry.ts";
import { registry } from "../../lib/server/registry.ts";
import { readServiceDocument } from "../../lib/service/serviceDocument.ts";

/** Successor and predecessors of a service. */
export type Succession = {
  /** DID that the last version of a Replaced record names, as claimed by its publisher. */
  replacedBy: string | undefined;
  /** DIDs of Replaced records that name this service, if one account controls both DIDs at one block. */
  replaces: string[];
};

/** Record with its versions, oldest first. */
type Published = { summary: AppSummary; versions: readonly VersionRecord[] };

/** Time that a page waits for the predecessors, and cache time per account, in milliseconds. */
const PATIENCE = 1_500;
const ANSWER_AGE = 30_000;
/** Maximum number of Replaced records to read per account. */
const MAX_READ = 10;

type Replaced = { did: string; successor: string };

const replacedCache = new TtlCache<Replaced[]>(500, ANSWER_AGE);
const named = new TtlCache<string | undefined>(1_000, ANSWER_AGE);

/** Reads the successor and predecessors of a service. Omits those that can't be read in time. */
export async function readSuccession(service: Published): Promise<Succession> {
  const { did, owner, minter } = service.summary;
  const accounts = [...new Set([owner, minter])];
  const replaces = Promise.all(accounts.map((account) => readPredecessors(did, account)));
  const [replacedBy, found = []] = await Promise.all([
    readReplacedBy(service),
    withinTimeout(replaces, PATIENCE),
  ]);
  return { replacedBy, replaces: [...new Set(found.flat())] };
}

async function readReplacedBy({ summary, versions }: Published): Promise<string | undefined> {
  const last = versions.at(-1);
  if (summary.status !== 2 || last === undefined) return undefined;
  const document = await readServiceDocument(last);
  const successor = document.ok ? document.metadata.replacedBy : undefined;
  return successor !== undefined && isCanonicalDid(successor) ? successor : undefined;
}

/** Returns an account's Replaced records with the successors that they name. Cached for all pages of its services. */
export const recentlyReplaced = (account: Address): Promise<Replaced[]> =>
  replacedCache.get(account, () => readReplaced(account));

async function readReplaced(account: Address): Promise<Replaced[]> {
  const { results } = await searchRegistry(registry(), {
    owner: account,
    status: "replaced",
    limit: MAX_READ,
  });
  const successors = await Promise.all(results.map(readNamedSuccessor));
  return results.flatMap(({ did }, index) => {
    const successor = successors[index];
    return successor === undefined ? [] : [{ did, successor }];
  });
}

/** Returns the account's Replaced records that name the DID, if the account controls both DIDs. */
async function readPredecessors(did: string, account: Address): Promise<string[]> {
  const { client } = registry();
  const replaced = await recentlyReplaced(account);
  const naming = replaced.flatMap((one) => (one.did !== did && one.successor === did ? [one.did] : []));
  if (naming.length === 0) return [];
  const blockNumber = await getLatestBlockNumber(client);
  const counts = (of: string) => client.checkDid({ did: of, controller: account, blockNumber });
  const checked = naming.map(async (of) => ((await counts(of)) ? [of] : []));
  return (await counts(did)) ? (await Promise.all(checked)).flat() : [];
}

/**
 * Returns the successor that a version's document names. Cached, because all pages of an account's services read the
 * same versions.
 */
const readNamedSuccessor = ({
  did,
  version: text,
}: Pick<SearchResult, "did" | "version">): Promise<string | undefined> =>
  named.get(`${did} ${text}`, async () => {
    const record = await registry().client.getVersionRecord({ did, version: parseVersion(text) });
    const document = await readServiceDocument(record);
    return document.ok ? document.metadata.replacedBy : undefined;
  });
