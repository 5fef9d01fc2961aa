import * as z from "zod";
import { documentMarkSchema } from "./documentMark.ts";
import { addressSchema, hashSchema } from "./hexSchemas.ts";

/** What a check came to. `unknown`: a host or an RPC did not answer; it is neither a pass nor a fail. */
export const outcomeSchema = z.enum(["pass", "fail", "unknown"]);

export type Outcome = z.output<typeof outcomeSchema>;

/** Where a service is reached, as its metadata says. */
export const endpointLabelSchema = z.object({
  name: z.string().describe("MCP for an MCP server."),
  endpoint: z.string().describe("https or http URL."),
  transport: z.literal("sse").optional().describe("An MCP server that speaks HTTP with SSE only."),
});

export type EndpointLabel = z.output<typeof endpointLabelSchema>;

/** One record as search shows it. Times are Unix seconds, addresses checksummed. */
export const searchResultSchema = z.object({
  did: z.string(),
  major: z.int().min(0).max(255),
  version: z.string().describe("Latest version of this major, major.minor.patch."),
  tokenId: z.string().describe("Decimal."),
  owner: addressSchema,
  minter: addressSchema,
  status: z.literal([0, 1, 2]).describe("0 Active, 1 Deprecated, 2 Replaced."),
  interfaces: z.int().min(1).max(7),
  dataUrl: z.string(),
  dataHash: hashSchema,
  dataHashAlgorithm: z.literal([0, 1]).describe("0 keccak256, 1 sha256."),
  traits: z.array(z.string()).describe("The metadata's trait strings whose hashes the record carries."),
  traitHashes: z.array(hashSchema).describe("The record's trait hashes: these are what search matches."),
  name: z.string().optional(),
  description: z.string().optional(),
  publisher: z.string().optional(),
  image: z.string().optional(),
  endpoints: z
    .array(endpointLabelSchema)
    .optional()
    .describe("The first 20 with a URL; from the index alone."),
  latest: z
    .boolean()
    .optional()
    .describe("No Active record of the DID has a higher major version; from the index alone."),
  updatedAt: z.int().nonnegative().describe("When the latest version was published, Unix seconds."),
  changedAt: z
    .int()
    .nonnegative()
    .optional()
    .describe(
      "Last change of version, status, holder, labels or of document.state, Unix seconds by the chain's blocks; from the index alone.",
    ),
  changedBlock: z
    .int()
    .nonnegative()
    .optional()
    .describe(
      "The block of its last change on the chain; labels and state at its dataUrl move changedAt alone.",
    ),
  document: documentMarkSchema.optional().describe("Where the labels come from; from the index alone."),
  facts: z
    .object({
      control: outcomeSchema,
      content: outcomeSchema,
      attested: outcomeSchema,
      requirements: outcomeSchema,
    })
    .partial()
    .optional()
    .describe("What the index knows of the five facts; verifyApp checks them now."),
});

export type SearchResult = z.output<typeof searchResultSchema>;

const countSchema = z.int().nonnegative();

/** How many records a search finds. Beyond the 10,000 newest matches nothing is counted, and `exact` is false. */
export const searchTotalSchema = z.object({
  count: countSchema,
  exact: z.boolean().describe("False: there are at least so many."),
});

export type SearchTotal = z.output<typeof searchTotalSchema>;

/** Records that carry a trait, among those that a search finds. */
export const traitCountSchema = z.object({
  hash: hashSchema,
  trait: z.string().optional().describe("Absent while no metadata has told the word."),
  count: countSchema,
});

export type TraitCount = z.output<typeof traitCountSchema>;

/** Counts over what a search finds, up to its 10,000 newest matches. Most frequent first. */
export const searchFacetsSchema = z.object({
  traits: z.array(traitCountSchema).describe("The 50 most frequent; API types stand in apiTypes."),
  interfaces: z
    .array(z.object({ interface: z.literal([1, 2, 4]), count: countSchema }))
    .describe("Each bit of the interface bitmap: 1 Human, 2 API, 4 Contract."),
  apiTypes: z.array(traitCountSchema).describe("The 20 most frequent traits that begin with api:"),
});

export type SearchFacets = z.output<typeof searchFacetsSchema>;

/** A page of search results. */
export const searchPageSchema = z.object({
  results: z.array(searchResultSchema),
  nextCursor: z.string().nullable().describe("Cursor of the next page; null when this is the last."),
  total: searchTotalSchema.optional().describe("With facets=true, from the index."),
  facets: searchFacetsSchema.optional().describe("With facets=true, from the index."),
  source: z
    .enum(["index", "chain"])
    .describe("chain: answered without the index, so without q, sort, updatedSince and facets."),
  block: z.int().nonnegative().describe("The block up to which the answer is true."),
});

export type SearchPage = z.output<typeof searchPageSchema>;
