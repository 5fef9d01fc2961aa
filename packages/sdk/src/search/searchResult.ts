import * as z from "zod/mini";
import { isCanonicalDid } from "../did.ts";
import { provenSubjectSchema } from "../didMethods.ts";
import { addressSchema, countSchema, described, hashSchema } from "../schemas.ts";
import { isVersion } from "../version.ts";
import { documentStatusSchema, liveStatusSchema } from "./marks.ts";

/** Outcome of a check. `unknown` means that a host or an RPC did not respond. It is neither a pass nor a fail. */
export const outcomeSchema = z.enum(["pass", "fail", "unknown"]);

export type Outcome = z.output<typeof outcomeSchema>;

/** Key or token that callers send. Several are alternatives. */
const credentialSchema = z.object({
  in: described(z.enum(["header", "query", "cookie", "bearer"]), "bearer: in Authorization (RFC 6750)."),
  name: described(z.string(), "Of the header, parameter or cookie."),
  description: z.optional(z.string()),
});

/** Endpoint of a service, from its metadata. */
export const endpointLabelSchema = z.object({
  name: described(z.string(), "MCP for an MCP server."),
  endpoint: described(z.string(), "An https or http URL."),
  transport: described(z.optional(z.literal("sse")), "An MCP server that speaks HTTP with SSE only."),
  credentials: described(z.optional(z.array(credentialSchema)), "Unless OAuth 2 provides a token."),
});

export type EndpointLabel = z.output<typeof endpointLabelSchema>;

const isDecimal = (text: string): boolean => /^\d{1,78}$/.test(text);

/**
 * Returns true if the text is a cursor. People paste cursors into a shell, so a cursor has no characters that a shell
 * interprets.
 */
const isCursor = (text: string): boolean => /^\w[\w-]{0,3999}$/.test(text);

/** Record in search results. Times are Unix seconds, addresses checksummed. */
export const searchResultSchema = z.object({
  did: z.string().check(z.refine(isCanonicalDid)),
  proven: described(
    provenSubjectSchema,
    "What the DID refers to. Name, publisher and the other labels are claims by its controller.",
  ),
  major: z.int().check(z.gte(0), z.lte(255)),
  version: described(
    z.string().check(z.refine(isVersion)),
    "Latest version of this major, major.minor.patch.",
  ),
  tokenId: described(z.string().check(z.refine(isDecimal)), "Decimal."),
  owner: addressSchema,
  minter: addressSchema,
  status: described(z.literal([0, 1, 2]), "0 Active, 1 Deprecated, 2 Replaced."),
  interfaces: z.int().check(z.gte(1), z.lte(7)),
  dataUrl: z.string(),
  dataHash: hashSchema,
  dataHashAlgorithm: described(z.literal([0, 1]), "0 keccak256, 1 sha256."),
  traits: described(z.array(z.string()), "Trait strings from the metadata whose hashes are in the record."),
  traitHashes: described(z.array(hashSchema), "The record's trait hashes, which search matches."),
  name: z.optional(z.string()),
  description: z.optional(z.string()),
  publisher: z.optional(z.string()),
  image: z.optional(z.string()),
  endpoints: described(
    z.optional(z.array(endpointLabelSchema)),
    "The first 20 endpoints with a URL. Only from the search index.",
  ),
  packages: described(
    z.optional(z.array(z.looseObject({ registryType: z.string(), identifier: z.string() }))),
    "Programs to install that speak MCP, as in server.json. Only from the search index.",
  ),
  deprecation: described(z.optional(z.string()), "The publisher's reason for the deprecation."),
  replacedBy: described(z.optional(z.string()), "DID of the successor, as the publisher states it."),
  latest: described(
    z.optional(z.boolean()),
    "Whether no Active record of the DID has a higher major. Only from the search index.",
  ),
  updatedAt: described(countSchema, "When the latest version was published, Unix seconds."),
  changedAt: described(
    z.optional(countSchema),
    "When the record, its labels, its document's state or its live outcome last changed, in Unix seconds. Only from the search index.",
  ),
  changedBlock: described(z.optional(countSchema), "Block of the record's last change on the chain."),
  document: described(
    z.optional(documentStatusSchema),
    "Where the labels come from. Only from the search index.",
  ),
  live: described(z.optional(liveStatusSchema), "Absent until this version has been checked."),
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
    "Last known outcomes of the six facts from the search index. Use verifyApp to check them now.",
  ),
});

export type SearchResult = z.output<typeof searchResultSchema>;

/** Number of records that match a search. At most the 10,000 newest matches are counted; then `exact` is false. */
export const searchTotalSchema = z.object({
  count: countSchema,
  exact: described(z.boolean(), "If false, the count is a minimum."),
});

export type SearchTotal = z.output<typeof searchTotalSchema>;

/** Number of records with a trait, among the matches of a search. */
export const traitCountSchema = z.object({
  hash: hashSchema,
  trait: described(z.optional(z.string()), "The trait's text; absent until a metadata document reveals it."),
  count: countSchema,
});

/** Counts of the matches of a search, up to the 10,000 newest. Most frequent first. */
export const searchFacetsSchema = z.object({
  traits: described(z.array(traitCountSchema), "The 50 most frequent; API types are in apiTypes."),
  interfaces: described(
    z.array(z.object({ interface: z.literal([1, 2, 4]), count: countSchema })),
    "Counts per interface bit: 1 Human, 2 API, 4 Contract.",
  ),
  apiTypes: described(z.array(traitCountSchema), "The 20 most frequent API type traits (api:…)."),
});

export type SearchFacets = z.output<typeof searchFacetsSchema>;

/** Page of search results. */
export const searchPageSchema = z.object({
  results: z.array(searchResultSchema),
  nextCursor: described(
    z.nullable(z.string().check(z.refine(isCursor))),
    "Cursor for the next page; null on the last page.",
  ),
  total: described(z.optional(searchTotalSchema), "With facets=true, from the index."),
  facets: described(z.optional(searchFacetsSchema), "With facets=true, from the index."),
  matchedWords: described(
    z.optional(z.array(z.string())),
    "With q: the normalized, corrected search words. Each result contains all or most of them, or one of the rarest. Empty if the index has none of the words of q, or only common ones.",
  ),
  commonWords: described(
    z.optional(z.array(z.string())),
    "With q: its words that the index has, if all are so common that they find no service. Only services of exactly that name are listed. Add a word that says what the service does, or filter by traits.",
  ),
  corrected: described(
    z.optional(z.array(z.object({ from: z.string(), to: z.string() }))),
    "With q: words that matched no record, and the word searched instead.",
  ),
  source: described(z.enum(["index", "chain"]), "chain: read from the chain without the search index."),
  block: described(countSchema, "Block number that the results reflect."),
  lag: described(
    z.optional(z.nullable(countSchema)),
    "How many blocks the results are behind the chain; null if unknown.",
  ),
});

export type SearchPage = z.output<typeof searchPageSchema>;
