import { appPath } from "@app-registry/sdk";
import { RecentAnswers } from "../RecentAnswers.ts";
import type { Registry } from "../registry.ts";
import { escapeXml } from "./badge.ts";

/** Token ids of one sitemap. The protocol allows 50,000 addresses. */
const IDS_PER_SITEMAP = 5_000n;
const IDS_PER_CALL = 100;
const HOUR = 3_600_000;

const places = ["/", "/apps", "/issuers", "/control"];

const NAMESPACE = `xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"`;
const written = new RecentAnswers<string>(50);

type Source = Pick<Registry, "client" | "environment" | "hidden">;

/** The index of sitemaps (sitemaps.org): one for every 5,000 token ids. */
export async function sitemapIndex({ client, environment: { publicUrl } }: Source): Promise<string> {
  const supply = await client.totalSupply();
  const count = Number((supply + IDS_PER_SITEMAP - 1n) / IDS_PER_SITEMAP);
  const entries = Array.from({ length: Math.max(1, count) }, (_, index) =>
    loc(`${publicUrl}/sitemaps/${index}`),
  );
  return `<sitemapindex ${NAMESPACE}>${entries.map((entry) => `<sitemap>${entry}</sitemap>`).join("")}</sitemapindex>`;
}

/**
 * A sitemap of the Active services of 5,000 token ids; the first one has the register's own pages too. Kept for an hour.
 * @returns undefined for a sitemap that the index does not name.
 */
export async function sitemap(source: Source, page: number): Promise<string | undefined> {
  const first = BigInt(page) * IDS_PER_SITEMAP;
  if (page > 0 && first >= (await source.client.totalSupply())) return undefined;
  return written.get(
    `${source.environment.publicUrl} ${page}`,
    () => HOUR,
    async () => {
      const paths = page === 0 ? [...places] : [];
      paths.push(...(await activePaths(source, first)));
      const { publicUrl } = source.environment;
      const entries = paths.map((path) => `<url>${loc(publicUrl + path)}</url>`);
      return `<urlset ${NAMESPACE}>${entries.join("")}</urlset>`;
    },
  );
}

/** The pages of Active services that are not hidden, from the token ids of one sitemap above `first`. */
async function activePaths({ client, hidden }: Source, first: bigint): Promise<Set<string>> {
  const paths = new Set<string>();
  // The cursor is the last token id that was examined; ids are consecutive.
  for await (const { did, tokenId } of client.listByStatus({
    status: 0,
    cursor: first,
    limit: IDS_PER_CALL,
  })) {
    if (tokenId > first + IDS_PER_SITEMAP) break;
    if (hidden.reasonOf(did) === undefined) paths.add(appPath(did));
  }
  return paths;
}

const loc = (url: string): string => `<loc>${escapeXml(url)}</loc>`;
