import { appPath } from "@app-registry/sdk";
import { TtlCache } from "@app-registry/server/TtlCache";
import { ApiProblem } from "../problem.ts";
import { rawPathAfter } from "../rawPathAfter.ts";
import type { Registry } from "../registry.ts";
import { renderXml } from "../xml.ts";

/** Token ids per sitemap, few enough to render in some milliseconds. The protocol allows 50,000 URLs. */
const IDS_PER_SITEMAP = 1_000n;
const IDS_PER_CALL = 100;
const HOUR = 3_600_000;

const places = ["/", "/apps", "/lookup", "/issuers", "/control"];

const namespace = { "@xmlns": "http://www.sitemaps.org/schemas/sitemap/0.9" };
/** Cached DIDs of each sitemap. */
const listed = new TtlCache<ReadonlySet<string>>(50);

type Source = Pick<Registry, "client" | "environment" | "hidden">;

/** Renders the sitemap index (sitemaps.org), with one sitemap per 1,000 token ids. */
export async function sitemapIndex({ client, environment: { publicUrl } }: Source): Promise<string> {
  const supply = await client.totalSupply();
  const count = Number((supply + IDS_PER_SITEMAP - 1n) / IDS_PER_SITEMAP);
  const sitemap = Array.from({ length: Math.max(1, count) }, (_, index) => ({
    loc: `${publicUrl}/sitemaps/${index}`,
  }));
  return renderXml({ sitemapindex: { ...namespace, sitemap } });
}

/**
 * Answers GET /sitemaps/{page}.
 * @throws ApiProblem 404 `not-found` for a sitemap that the index does not list.
 */
export async function serveSitemap(request: Request, source: Source): Promise<Response> {
  const page = /^(0|[1-9]\d{0,8})$/.exec(rawPathAfter(request, "/sitemaps/"))?.[0];
  const text = page === undefined ? undefined : await sitemap(source, Number(page));
  if (text === undefined) throw new ApiProblem(404, "not-found", "Sitemap not found");
  // Short, so that hidden services leave the sitemap soon.
  const headers = { "content-type": "application/xml; charset=utf-8", "cache-control": "public, max-age=60" };
  return new Response(text, { headers });
}

/**
 * Renders the sitemap of the Active services among 1,000 token ids. The first one also lists the registry's own pages.
 * The services are read once an hour; services that are hidden in between disappear immediately.
 * @returns `undefined` for a sitemap that the index does not list.
 */
export async function sitemap(source: Source, page: number): Promise<string | undefined> {
  const first = BigInt(page) * IDS_PER_SITEMAP;
  if (page > 0 && first >= (await source.client.totalSupply())) return undefined;
  const { publicUrl } = source.environment;
  const dids = await listed.get(
    `${publicUrl} ${page}`,
    () => HOUR,
    () => activeDids(source, first),
  );
  const shown = [...dids].filter((did) => source.hidden.reasonOf(did) === undefined);
  const paths = [...(page === 0 ? places : []), ...shown.map((did) => appPath(did))];
  return renderXml({ urlset: { ...namespace, url: paths.map((path) => ({ loc: publicUrl + path })) } });
}

/** Returns the DIDs of the Active services among the token ids of one sitemap, which start after `first`. */
async function activeDids({ client }: Source, first: bigint): Promise<ReadonlySet<string>> {
  const dids = new Set<string>();
  // The cursor is the last token id that was examined; ids are consecutive.
  for await (const { did, tokenId } of client.listByStatus({
    status: 0,
    cursor: first,
    limit: IDS_PER_CALL,
  })) {
    if (tokenId > first + IDS_PER_SITEMAP) break;
    dids.add(did);
  }
  return dids;
}
