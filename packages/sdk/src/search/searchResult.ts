import * as z from "zod/mini";
import { provenSchema } from "../origin.ts";
import { addressSchema, countSchema, described, hashSchema } from "../schemas.ts";
import { documentMarkSchema } from "./documentMark.ts";
import { liveMarkSchema } from "./liveMark.ts";

/** The outcome of a check. `unknown`: a host or an RPC didn't answer; it is neither a pass nor a fail. */
export const outcomeSchema = z.enum(["pass", "fail", "unknown"]);

export type Outcome = z.output<typeof outcomeSchema>;

/** An endpoint of a service, as its metadata says. */
export const endpointLabelSchema = z.object({
  name: described(z.string(), "MCP for an MCP server."),
  endpoint: described(z.string(), "https or http URL."),
  transport: described(z.optional(z.literal("sse")), "An MCP server that speaks HTTP with SSE only."),
});

export type EndpointLabel = z.output<typeof endpointLabelSchema>;

/** One record as search shows it. Times are Unix seconds, addresses checksummed. */
export const searchResultSchema = z.object({
  did: z.string(),
  proven: described(
    provenSchema,
    "What the DID names; name, publisher and the rest are claims of its controller.",
  ),
  major: z.int().check(z.gte(0), z.lte(255)),
  version: described(z.string(), "Latest version of this major, major.minor.patch."),
  tokenId: described(z.string(), "Decimal."),
  owner: addressSchema,
  minter: addressSchema,
  status: described(z.literal([0, 1, 2]), "0 Active, 1 Deprecated, 2 Replaced."),
  interfaces: z.int().check(z.gte(1), z.lte(7)),
  dataUrl: z.string(),
  dataHash: hashSchema,
  dataHashAlgorithm: described(z.literal([0, 1]), "0 keccak256, 1 sha256."),
  traits: described(z.array(z.string()), "The metadata's trait strings whose hashes are in the record."),
  traitHashes: described(z.array(hashSchema), "The record's trait hashes, which search matches."),
  name: z.optional(z.string()),
  description: z.optional(z.string()),
  publisher: z.optional(z.string()),
  image: z.optional(z.string()),
  endpoints: described(
    z.optional(z.array(endpointLabelSchema)),
    "The first 20 with a URL; only from the index.",
  ),
  latest: described(
    z.optional(z.boolean()),
    "No Active record of the DID has a higher major; only from the index.",
  ),
  updatedAt: described(countSchema, "When the latest version was published, Unix seconds."),
  changedAt: described(
    z.optional(countSchema),
    "Last change of anything but facts, Unix seconds by the chain's blocks; only from the index.",
  ),
  changedBlock: described(z.optional(countSchema), "The block of its last change on the chain."),
  document: described(z.optional(documentMarkSchema), "Where the labels come from; only from the index."),
  live: described(z.optional(liveMarkSchema), "Absent until this version was asked."),
  facts: described(
    z.optional(
      z.partial(
        z.object({
          control: outcomeSchema,
          content: outcomeSchema,
          attested: outcomeSchema,
          attestedUntil: described(countSchema, "Unix seconds."),
          origin: outcomeSchema,
          live: outcomeSchema,
        }),
      ),
    ),
    "What the index knows of the six facts; verifyApp checks them now.",
  ),
});

export type SearchResult = z.output<typeof searchResultSchema>;

/** How many records a search finds. At most the 10,000 newest matches are counted; then `exact` is false. */
export const searchTotalSchema = z.object({
  count: countSchema,
  exact: described(z.boolean(), "False: there are at least this many."),
});

export type SearchTotal = z.output<typeof searchTotalSchema>;

/** The number of records with a trait, among those that a search finds. */
export const traitCountSchema = z.object({
  hash: hashSchema,
  trait: described(z.optional(z.string()), "The text; absent until a metadata JSON reveals it."),
  count: countSchema,
});

export type TraitCount = z.output<typeof traitCountSchema>;

/** Counts over what a search finds, up to its 10,000 newest matches. Most frequent first. */
export const searchFacetsSchema = z.object({
  traits: described(z.array(traitCountSchema), "The 50 most frequent; API types are in apiTypes."),
  interfaces: described(
    z.array(z.object({ interface: z.literal([1, 2, 4]), count: countSchema })),
    "Each bit of the interface bitmap: 1 Human, 2 API, 4 Contract.",
  ),
  apiTypes: described(z.array(traitCountSchema), "The 20 most frequent traits that begin with api:"),
});

export type SearchFacets = z.output<typeof searchFacetsSchema>;

/** A page of search results. */
export const searchPageSchema = z.object({
  results: z.array(searchResultSchema),
  nextCursor: described(z.nullable(z.string()), "Cursor of the next page; null when this is the last."),
  total: described(z.optional(searchTotalSchema), "With facets=true, from the index."),
  facets: described(z.optional(searchFacetsSchema), "With facets=true, from the index."),
  matchedWords: described(
    z.optional(z.array(z.string())),
    "With q: the words searched, folded and corrected. Each result holds all or most of them.",
  ),
  corrected: described(
    z.optional(z.array(z.object({ from: z.string(), to: z.string() }))),
    "With q: words that no record holds, and the word searched instead.",
  ),
  source: described(z.enum(["index", "chain"]), "chain: answered without the index."),
  block: described(countSchema, "The block at which the answer is true."),
  lag: described(
    z.optional(z.nullable(countSchema)),
    "Blocks of the chain after this one; null while that is not known.",
  ),
});

export type SearchPage = z.output<typeof searchPageSchema>;
