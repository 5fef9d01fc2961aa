import {
  hashDocument,
  parseDid,
  parseDidPath,
  type SearchQueryInput,
  type SearchResult,
} from "@app-registry/sdk";
import { z } from "zod";
import { rawPathAfter } from "../rawPathAfter.ts";
import type { Registry } from "../registry.ts";
import { searchIndex } from "../searchRegistry.ts";
import { ardEntrySchema, toArdEntry } from "./ardEntry.ts";
import { ardUrl, INDEX_REQUIRED } from "./ardSearch.ts";

/** Manifest of AI Catalog 1.0, ARD 0.9 and ARD 0.91. The entry of this registry itself has fewer members. */
export const catalogSchema = z.object({
  specVersion: z.literal("1.0"),
  host: z.object({ displayName: z.string(), identifier: z.string(), documentationUrl: z.url() }),
  entries: z.array(ardEntrySchema.partial().required({ identifier: true, displayName: true, type: true })),
});

type Catalog = z.output<typeof catalogSchema>;

/** Creates a catalog that this registry operates. */
function createCatalog(publicUrl: string, entries: Catalog["entries"]): Catalog {
  const { href, hostname: identifier } = new URL("/api/openapi.json", publicUrl);
  return { specVersion: "1.0", host: { displayName: NAME, identifier, documentationUrl: href }, entries };
}

const NAME = "App Registry";

/** Returns the catalog of this registry. Its entry leads to the ARD API, and so to every service. */
export function ownCatalog(publicUrl: string): Catalog {
  const entry = {
    identifier: `urn:air:${new URL(publicUrl).hostname}:registry`,
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
  return createCatalog(publicUrl, [entry]);
}

/** Maximum number of services of a DID, of its paths, and of the ports of its host, each. */
const MAX_LISTED = 25;

/**
 * Returns the catalog of the services under a DID: its own, and those of longer paths and, for a host, of its ports.
 *
 * @throws ApiProblem 451 `hidden`
 * @throws IndexRequiredError while the index is unavailable.
 */
export async function publisherCatalog(request: Request, registry: Registry): Promise<Catalog> {
  const did = parseDidPath(rawPathAfter(request, "/api/ai-catalog/"));
  const parsed = parseDid(did);
  const isHost = parsed.method === "web" && parsed.port === undefined && parsed.path.length === 0;
  const searches = [{ did }, { didPrefix: `${did}:` }, ...(isHost ? [{ didPrefix: `${did}%3A` }] : [])];
  const list = async (search: SearchQueryInput) => {
    const query = { ...search, control: "pass" as const, limit: MAX_LISTED };
    return (await searchIndex(registry, query, INDEX_REQUIRED)).results;
  };
  const results = (await Promise.all(searches.map(list))).flat();
  const { publicUrl } = registry.environment;
  const read = async (result: SearchResult) =>
    toArdEntry(result, publicUrl, { text: await readText(registry, result) });
  const listed = (await Promise.all(results.map(read))).filter((entry) => entry !== undefined);
  return createCatalog(publicUrl, listed);
}

/** Returns the canonical text of a record's document, if the chain's latest document of the DID is the record's. */
async function readText({ client }: Registry, result: SearchResult): Promise<string | undefined> {
  const { did, dataHash, dataHashAlgorithm, document } = result;
  const stored = document?.source === "chain" ? await client.getMetadata(did) : undefined;
  if (stored?.dataHash !== dataHash) return undefined;
  try {
    const { canonical, dataHash: hash } = hashDocument(stored.json, dataHashAlgorithm);
    return hash === dataHash ? canonical : undefined;
  } catch {
    // The chain accepts bytes that are not JSON.
    return undefined;
  }
}
