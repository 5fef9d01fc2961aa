import { serveControllerFeed } from "../accountRoutes.ts";
import { serveChanges } from "../changesFeed.ts";
import { llmsTxt, robotsTxt } from "../embeds/crawlerFiles.ts";
import { serveSitemap, sitemapIndex } from "../embeds/sitemap.ts";
import type { Registry } from "../registry.ts";
import { defineRoute } from "./route.ts";

const cached = (type: string) => ({
  headers: { "content-type": `${type}; charset=utf-8`, "cache-control": "public, max-age=3600" },
});

/** Returns the routes of feeds and files for crawlers. */
export const feedRoutes = (registry: () => Registry) => [
  ...(["atom", "json"] as const).map((format) =>
    defineRoute({
      method: "get",
      path: `/feed.${format}`,
      limits: ["searchClient"],
      handler: (request) => serveChanges(request, registry(), format),
    }),
  ),
  defineRoute({
    method: "get",
    path: "/feed.atom/controllers/:address",
    limits: ["searchClient"],
    handler: (request) => serveControllerFeed(request, registry()),
  }),
  ...Object.entries({ "/robots.txt": robotsTxt, "/llms.txt": llmsTxt }).map(([path, write]) =>
    defineRoute({
      method: "get",
      path,
      handler: async () => new Response(write(registry().environment.publicUrl), cached("text/plain")),
    }),
  ),
  defineRoute({
    method: "get",
    path: "/sitemap.xml",
    handler: async () => new Response(await sitemapIndex(registry()), cached("application/xml")),
  }),
  defineRoute({
    method: "get",
    path: "/sitemaps/:page",
    limits: ["readClient"],
    handler: (request) => serveSitemap(request, registry()),
  }),
];
