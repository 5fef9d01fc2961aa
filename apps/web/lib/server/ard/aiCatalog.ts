import { z } from "zod";
import { ardUrl } from "./ardSearch.ts";

const NAME = "App Registry";

/** Manifest of AI Catalog 1.0, ARD 0.9 and ARD 0.91. */
export const catalogSchema = z.object({
  specVersion: z.literal("1.0"),
  host: z.object({ displayName: z.string(), identifier: z.string(), documentationUrl: z.url() }),
  entries: z.array(
    z.object({
      ...{ identifier: z.string(), displayName: z.string(), type: z.string(), url: z.url() },
      ...{ description: z.string(), tags: z.array(z.string()), representativeQueries: z.array(z.string()) },
    }),
  ),
});

/** Returns the catalog of this registry. Its entry leads to the ARD API, and so to every service. */
export function ownCatalog(publicUrl: string): z.output<typeof catalogSchema> {
  const { href, hostname: identifier } = new URL("/api/openapi.json", publicUrl);
  const entry = {
    identifier: `urn:air:${identifier}:registry`,
    displayName: NAME,
    type: "application/ai-registry+json",
    url: ardUrl(publicUrl),
    description: "Search for services whose publishers proved control of their domains, with the evidence.",
    tags: ["registry", "search", "verification"],
    representativeQueries: [
      "find an MCP server whose publisher controls its domain",
      "check who controls an agent before using it",
    ],
  };
  return {
    specVersion: "1.0",
    host: { displayName: NAME, identifier, documentationUrl: href },
    entries: [entry],
  };
}
