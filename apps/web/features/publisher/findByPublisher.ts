import "server-only";
import { parseDid, type SearchQueryInput, searchQuerySchema } from "@app-registry/sdk";
import { type FoundServices, searchServices } from "../explore/searchServices.ts";

/** The places in the three lists of a publisher's page. */
export type PublisherCursors = Partial<Record<"exact" | "ports" | "paths", string>>;

/** What is registered under a name. The lists are never merged: others may hold ports and paths. */
export type PublisherRecords = {
  /** Of the very DID. */
  exact: FoundServices;
  /** Of the ports of a host, and of paths of these; undefined of what has none. */
  ports: FoundServices | undefined;
  /** Of the paths below; undefined of what has none. */
  paths: FoundServices | undefined;
};

const PAGE_SIZE = 25;

export async function findByPublisher(did: string, cursors: PublisherCursors): Promise<PublisherRecords> {
  const parsed = parseDid(did);
  const isWeb = parsed.method === "web";
  const isHost = isWeb && parsed.port === undefined && parsed.path.length === 0;
  const [exact, ports, paths] = await Promise.all([
    listRecords({ did }, cursors.exact),
    isHost ? listRecords({ didPrefix: `${did}%3A` }, cursors.ports) : undefined,
    isWeb ? listRecords({ didPrefix: `${did}:` }, cursors.paths) : undefined,
  ]);
  return { exact, ports, paths };
}

/** A page of records in every status, the newest first. */
export const listRecords = (filter: SearchQueryInput, cursor: string | undefined): Promise<FoundServices> =>
  searchServices(
    searchQuerySchema.parse({ ...filter, status: "any", limit: PAGE_SIZE, ...(cursor ? { cursor } : {}) }),
  );

/** Whether a list was read to its end and holds nothing. */
export const isEmpty = (found: FoundServices | undefined): boolean =>
  found === undefined || (found.ok && found.rows.length === 0 && found.page.nextCursor === null);
