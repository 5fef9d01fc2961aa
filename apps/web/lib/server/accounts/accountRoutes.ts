import { readParams } from "@app-registry/sdk/internal";
import { type Address, getAddress, isAddress } from "viem";
import { getBlock } from "viem/actions";
import { z } from "zod";
import { controlHref, warningTexts } from "../../control/accountControl.ts";
import type { Newcomer } from "../../control/newcomers.ts";
import { formatTimes } from "../../record/times.ts";
import { toEventEntry } from "../feeds/changesFeed.ts";
import { ApiProblem } from "../http/problem.ts";
import { respondWithEtag, sharedForBlock } from "../http/request.ts";
import { type FeedEntry, renderAtom } from "../http/xml.ts";
import { type RecordEvent, readRecentChanges } from "../records/readLive.ts";
import type { Registry } from "../registry.ts";
import { type Account, readAccount } from "./readAccount.ts";

type Source = Pick<Registry, "client" | "environment" | "index">;

export const accountQuerySchema = z.strictObject({
  minBlock: z.coerce
    .number()
    .int()
    .nonnegative()
    .optional()
    .describe("Block of a receipt. The index waits up to three seconds for it."),
});

/**
 * Answers `GET /api/accounts/{address}`.
 * @throws as `readAccount`, and InvalidSearchError.
 */
export async function serveAccount(request: Request, source: Source): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  const account = parseAccount(pathname.split("/").at(-1) ?? "");
  const { minBlock } = readParams(accountQuerySchema, searchParams);
  const found = await readAccount(source, account, minBlock);
  return Response.json(found, { headers: { "cache-control": "no-cache" } });
}

/**
 * Answers `GET /feed.atom/controllers/{address}` with the warnings for an account: accounts that wait for control of
 * DIDs that it controls or has records of, blocks that end within a week, and services that stopped responding, differ
 * from their registered version or are no longer controlled.
 */
export async function serveControllerFeed(request: Request, source: Source): Promise<Response> {
  const account = parseAccount(new URL(request.url).pathname.split("/").at(-1) ?? "");
  const { newcomers, blocks, records } = await readAccount(source, account);
  const [{ events }, { timestamp }] = await Promise.all([
    readRecentChanges(
      source,
      records.map(({ tokenId }) => tokenId),
    ),
    getBlock(source.client.publicClient),
  ]);
  const warnings = { newcomers, blocks, events, now: Number(timestamp) };
  return respondWithEtag(request, renderControllerFeed(account, warnings, source.environment.publicUrl), {
    "content-type": "application/atom+xml; charset=utf-8",
    "cache-control": sharedForBlock,
  });
}

/** Returns the path of a controller's feed of warnings. */
const getControllerFeedPath = (account: Address): string => `/feed.atom/controllers/${account}`;

/** @throws ApiProblem 404 `not-found` if the text is not an address. */
function parseAccount(text: string): Address {
  if (isAddress(text, { strict: false })) return getAddress(text.toLowerCase());
  const detail = "Use an address: 0x followed by 40 hex digits.";
  throw new ApiProblem(404, "not-found", "Invalid account address", { detail });
}

/** Time before the end of a block at which the feed warns of it, in seconds. */
const BLOCK_WARNING = 7 * 24 * 3_600;

interface Warnings extends Pick<Account, "newcomers" | "blocks"> {
  events: readonly RecordEvent[];
  /** Chain time, in Unix seconds. */
  now: number;
}

/**
 * Renders a controller's warnings as an Atom feed (RFC 4287), latest change first. Blocking an account updates its
 * entry.
 */
function renderControllerFeed(
  account: Address,
  { newcomers, blocks, events, now }: Warnings,
  publicUrl: string,
): string {
  const url = (path: string) => new URL(path, publicUrl).href;
  const isOther = (one: { account: Address }) => one.account !== account;
  const latestFirst = [
    ...newcomers.filter(isOther).map((newcomer) => newcomerEntry(newcomer, url)),
    ...blocks
      .filter((block) => isOther(block) && block.blockedUntil - BLOCK_WARNING <= now)
      .map((block) => blockEntry(block, url)),
    ...events.map((event) => toEventEntry(event, publicUrl)),
  ].sort((one, other) => other.updated.getTime() - one.updated.getTime());
  const title = `App Registry: control requests for the DIDs of ${account}`;
  return renderAtom({ title, self: url(getControllerFeedPath(account)), link: url("/my") }, latestFirst);
}

function newcomerEntry(newcomer: Newcomer, url: (path: string) => string) {
  const { did, account, since, changedAt, blockedUntil } = newcomer;
  const { title, why } = warningTexts(newcomer);
  return toFeedEntry(url(controlHref(did, account)), {
    anchor: String(since),
    title,
    why: `${why} DID: ${did}`,
    action: blockedUntil === null ? "Block for 30 days" : "Extend block",
    published: since,
    changed: changedAt,
  });
}

/**
 * Creates the entry of a block that ends soon. Its id contains the end, so an extended block gets a new entry later.
 */
function blockEntry(block: Account["blocks"][number], url: (path: string) => string) {
  const { did, account, blockedAt, blockedUntil } = block;
  const warnedAt = Math.max(blockedAt, blockedUntil - BLOCK_WARNING);
  return toFeedEntry(url(controlHref(did, account)), {
    anchor: `block-${blockedUntil}`,
    title: `A block ends on ${new Date(blockedUntil * 1_000).toISOString()} unless you extend it`,
    why: `The block keeps account ${account} from control of ${did}.`,
    action: "Extend block",
    published: warnedAt,
    changed: warnedAt,
  });
}

/** Creates an entry about one account's control of a DID. Times are in Unix seconds. */
function toFeedEntry(
  page: string,
  entry: { anchor: string; title: string; why: string; action: string; published: number; changed: number },
): FeedEntry {
  const { anchor, title, why, action, published, changed } = entry;
  return {
    id: `${page}#${anchor}`,
    link: page,
    title: formatTimes(title),
    summary: `${formatTimes(why)} ${action}: ${page}#block`,
    published: new Date(published * 1_000),
    updated: new Date(changed * 1_000),
  };
}
