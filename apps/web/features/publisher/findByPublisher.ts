import "server-only";
import { parseDid, type SearchQueryInput } from "@app-registry/sdk";
import { type FoundServices, searchServices } from "../explore/searchServices.ts";

/** Cursors of the three lists on a publisher's page. */
export type PublisherCursors = Partial<Record<"exact" | "ports" | "paths", string>>;

/** Services under a name. The lists are never merged: ports and paths may belong to others. */
export type PublisherRecords = {
  /** Services of exactly this DID. */
  exact: FoundServices;
  /** Services of the host's ports and of paths on them. Undefined unless the name is a host. */
  ports: FoundServices | undefined;
  /** Services of longer paths. Undefined for a contract. */
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

/** Returns a page of records in any status, newest first. */
export const listRecords = (filter: SearchQueryInput, cursor: string | undefined): Promise<FoundServices> =>
  searchServices({ ...filter, status: "any", limit: PAGE_SIZE, ...(cursor ? { cursor } : {}) });

/** Returns true if a list was read to its end and is empty. */
export const isEmpty = (found: FoundServices | undefined): boolean =>
  found === undefined || (found.ok && found.rows.length === 0 && found.page.nextCursor === null);
