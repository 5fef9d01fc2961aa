import { Feed } from "feed";
import { type Address, getAddress, isAddress } from "viem";
import { type Newcomer, newcomerTexts } from "../../features/control/newcomer.ts";
import { controlHref } from "../../features/control/readAccountControl.ts";
import { escapeHtml, liveEntryOf } from "./changesFeed.ts";
import { respondWithEtag } from "./conditional.ts";
import { ApiProblem } from "./problem.ts";
import { readAccount } from "./readAccount.ts";
import { type LiveEvent, readLiveEvents } from "./readLive.ts";
import type { Registry } from "./registry.ts";

type Source = Pick<Registry, "client" | "environment">;

/** Answers GET /api/accounts/{address}. */
export async function serveAccount(request: Request, source: Source): Promise<Response> {
  const account = accountOf(new URL(request.url).pathname.split("/").at(-1) ?? "");
  return Response.json(await readAccount(source, account), { headers: { "cache-control": "no-cache" } });
}

/**
 * Answers GET /feed.atom/controllers/{address}: who asks to control the DIDs that an account controls, and those of the
 * records that it holds or minted; and which of these services stopped answering or offer something else.
 */
export async function serveWarnings(request: Request, source: Source): Promise<Response> {
  const account = accountOf(new URL(request.url).pathname.split("/").at(-1) ?? "");
  const { newcomers, records } = await readAccount(source, account);
  const events = await readLiveEvents(
    source,
    records.map(({ tokenId }) => tokenId),
  );
  const { publicUrl } = source.environment;
  const others = newcomers.filter((newcomer) => newcomer.account !== account);
  return respondWithEtag(request, writeWarnings(account, others, events, publicUrl), {
    "content-type": "application/atom+xml; charset=utf-8",
    "cache-control": "public, max-age=60",
  });
}

/** Path of the feed of a controller's warnings. */
const warningsPath = (account: Address): string => `/feed.atom/controllers/${account}`;

/** @throws ApiProblem 404 `not-found` for a text that is no address. */
function accountOf(text: string): Address {
  if (isAddress(text, { strict: false })) return getAddress(text.toLowerCase());
  const detail = "Use an address: 0x followed by 40 hex digits.";
  throw new ApiProblem(404, "not-found", "Invalid account address", { detail });
}

/** The Atom feed (RFC 4287) of newcomers and probes, the last change first. An entry changes with an objection. */
function writeWarnings(
  account: Address,
  newcomers: readonly Newcomer[],
  events: readonly LiveEvent[],
  publicUrl: string,
): string {
  const url = (path: string) => new URL(path, publicUrl).href;
  const latestFirst = [
    ...newcomers.map((newcomer) => entryOf(newcomer, url)),
    ...events.map((event) => liveEntryOf(event, publicUrl, escapeHtml)),
  ].sort((one, other) => other.date.getTime() - one.date.getTime());
  const feed = new Feed({
    title: `App Registry: control requests for the DIDs of ${account}`,
    id: url(warningsPath(account)),
    link: url("/my"),
    feedLinks: { atom: url(warningsPath(account)) },
    updated: latestFirst[0]?.date ?? new Date(0),
    generator: "App Registry",
    author: { name: "App Registry" },
  });
  for (const entry of latestFirst) feed.addItem(entry);
  return feed.atom1();
}

function entryOf(newcomer: Newcomer, url: (path: string) => string) {
  const { did, account, since, changedAt } = newcomer;
  const page = url(controlHref(did, account));
  const { why } = newcomerTexts(newcomer);
  const action = (anchor: string, word: string) => `<a href="${escapeHtml(page)}#${anchor}">${word}</a>`;
  return {
    id: `${page}#${since}`,
    link: page,
    title: escapeHtml(`${account} is requesting control of ${did}`),
    description: escapeHtml(why),
    content: `<p>${escapeHtml(why)}</p><p>${action("vouch", "Vouch for this account")} or ${action("object", "object to this account")}.</p>`,
    published: new Date(since * 1_000),
    date: new Date(changedAt * 1_000),
  };
}
