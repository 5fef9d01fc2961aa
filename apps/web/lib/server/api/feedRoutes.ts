import { serveControllerFeed } from "../accountRoutes.ts";
import { serveChanges } from "../changesFeed.ts";
import { llmsTxt, robotsTxt, securityTxt } from "../embeds/crawlerFiles.ts";
import { serveSitemap, sitemapIndex } from "../embeds/sitemap.ts";
import { searchTurns } from "../limits/routeTurns.ts";
import { ApiProblem } from "../problem.ts";
import type { Registry } from "../registry.ts";
import { contentOfType, defineRoute, noIndex, notModified } from "./route.ts";

const ATOM = "application/atom+xml";

const cached = (type: string) => ({
  headers: { "content-type": `${type}; charset=utf-8`, "cache-control": "public, max-age=3600" },
});

/** Returns the routes of feeds and files for crawlers. */
export const feedRoutes = (registry: () => Registry) => [
  defineRoute({
    method: "get",
    path: "/feed.atom",
    limits: ["searchClient"],
    inTurn: searchTurns,
    documented: {
      operationId: "atomFeed",
      summary: "Follow new and changed services (Atom)",
      responses: {
        200: contentOfType(ATOM, "The newest changes, each with the proven name first."),
        ...notModified,
      },
      errors: noIndex,
    },
    handler: (request) => serveChanges(request, registry()),
  }),
  defineRoute({
    method: "get",
    path: "/feed.atom/controllers/{address}",
    limits: ["searchClient"],
    inTurn: searchTurns,
    documented: {
      operationId: "controllerFeed",
      summary: "Follow the accounts that wait for control of an account's DIDs (Atom)",
      parameters: [
        {
          name: "address",
          in: "path",
          required: true,
          description: "The controller.",
          schema: { type: "string" },
        },
      ],
      responses: {
        200: contentOfType(ATOM, "Waiting accounts and blocks that end within a week."),
        ...notModified,
      },
      errors: { 404: "Not an address.", ...noIndex },
    },
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
    path: "/.well-known/security.txt",
    async handler() {
      const text = securityTxt(registry().environment);
      if (text === undefined) throw new ApiProblem(404, "not-found", "This server names no security contact");
      return new Response(text, cached("text/plain"));
    },
  }),
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
