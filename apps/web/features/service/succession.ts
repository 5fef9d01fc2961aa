import "server-only";
import {
  type AppSummary,
  isCanonicalDid,
  parseVersion,
  type SearchResult,
  searchQuerySchema,
  type VersionRecord,
} from "@app-registry/sdk";
import { getLatestBlockNumber } from "@app-registry/sdk/internal";
import { withTimeout } from "@app-registry/server/deadline";
import { TtlCache } from "@app-registry/server/TtlCache";
import type { Address } from "viem";
import { registry } from "../../lib/server/registry.ts";
import { searchRegistry } from "../../lib/server/searchRegistry.ts";
import { readServiceDocument } from "./serviceDocument.ts";

/** Which service takes another's place. */
export type Succession = {
  /** The DID that the last version of a Replaced record names. It is its publisher's word. */
  replacedBy: string | undefined;
  /** DIDs of Replaced records that name this service, of which one account counts for both at one block. */
  replaces: string[];
};

/** A record with its versions, oldest first. */
type Published = { summary: AppSummary; versions: readonly VersionRecord[] };

/** Milliseconds that a page waits for the services that one replaces, and for which an account's are remembered. */
const PATIENCE = 1_500;
const ANSWER_AGE = 30_000;
/** Replaced records of one account that are read. */
const MAX_READ = 10;

type Replaced = { did: string; successor: string };

const replacedCache = new TtlCache<Replaced[]>(500);
const named = new TtlCache<string | undefined>(1_000);

/** What a service replaces, and what replaces it. What can't be read in time is not shown. */
export async function readSuccession(service: Published): Promise<Succession> {
  const { did, owner, minter } = service.summary;
  const accounts = [...new Set([owner, minter])];
  const replaces = Promise.all(accounts.map((account) => readPredecessors(did, account)));
  const [replacedBy, found] = await Promise.all([
    readReplacedBy(service),
    withTimeout(
      replaces.catch(() => []),
      PATIENCE,
      () => [],
    ),
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

/** Replaced records of an account with the successor that each names. All pages of its services share the answer. */
export const recentlyReplaced = (account: Address): Promise<Replaced[]> =>
  replacedCache.get(
    account,
    () => ANSWER_AGE,
    () => readReplaced(account),
  );

async function readReplaced(account: Address): Promise<Replaced[]> {
  const query = searchQuerySchema.parse({ owner: account, status: "replaced", limit: MAX_READ });
  const { results } = await searchRegistry(registry(), query);
  const successors = await Promise.all(results.map(readNamedSuccessor));
  return results.flatMap(({ did }, index) => {
    const successor = successors[index];
    return successor === undefined ? [] : [{ did, successor }];
  });
}

/** The account's Replaced records that name the DID, while the account counts for both. */
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

/** What a version's document names as its successor. Each page of an account's services asks for the same versions. */
const readNamedSuccessor = ({
  did,
  version: text,
}: Pick<SearchResult, "did" | "version">): Promise<string | undefined> =>
  named.get(
    `${did} ${text}`,
    () => ANSWER_AGE,
    async () => {
      const record = await registry().client.getVersionRecord({ did, version: parseVersion(text) });
      const document = await readServiceDocument(record);
      return document.ok ? document.metadata.replacedBy : undefined;
    },
  );
