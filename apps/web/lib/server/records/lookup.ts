import { lookUp } from "@app-registry/index/lookup";
import {
  type CanonicalDid,
  chooseService,
  type Lookup,
  type LookupMatch,
  parseSubject,
  type SearchResult,
  type Subject,
  type VersionSelector,
} from "@app-registry/sdk";
import { readParams, tokenize } from "@app-registry/sdk/internal";
import { z } from "zod";
import { claimedName } from "../../record/claims.ts";
import { refuseHidden } from "../http/problem.ts";
import { respondWithEtag, sharedJsonHeaders } from "../http/request.ts";
import { requireIndex } from "../readIndex.ts";
import type { Registry } from "../registry.ts";
import { type SearchSource, searchRegistry } from "./searchRegistry.ts";

/** Query of GET /api/lookup. */
export const lookupQuerySchema = z.strictObject({
  subject: z
    .string()
    .max(2_048)
    .describe("A DID, URL, domain, contract, account id (CAIP-10) or token id such as #12."),
});

type Source = Pick<Registry, "index" | "hidden">;

/**
 * Looks up a subject in the index. Leaves out hidden services.
 *
 * @throws ApiProblem 503 `index-unavailable`, 451 `hidden` if only hidden services prove the subject.
 */
export async function lookUpSubject({ hidden, ...source }: Source, subject: Subject): Promise<Lookup> {
  const found = await requireIndex(source, "Lookups come", (session, block) =>
    lookUp(session, subject, block),
  );
  const shown = (matches: LookupMatch[]) =>
    matches.filter(({ service }) => hidden.reasonOf(service.did) === undefined);
  const exact = shown(found.exact);
  const [match] = found.exact;
  // "No registered service has it" would be false.
  if (match && exact.length === 0) refuseHidden(hidden, match.service.did);
  return { ...found, exact, claimed: shown(found.claimed), near: shown(found.near) };
}

/**
 * Finds the service that a text names: a DID with or without a version, or what only one service proves.
 *
 * @throws {InvalidSubjectError | InvalidDidError | InvalidVersionError}
 * @throws {LookupError} if no service proves the subject, or several do; as `lookUpSubject`.
 */
export async function findService(
  source: Source,
  text: string,
): Promise<{ did: CanonicalDid; version: VersionSelector | undefined }> {
  const subject = parseSubject(text);
  if (subject.kind === "did") return { did: subject.did, version: subject.version };
  return chooseService(await lookUpSubject(source, subject));
}

/** Answers GET /api/lookup. @throws as `parseSubject` and `lookUpSubject`, and InvalidSearchError for another query. */
export async function serveLookup(request: Request, source: Source): Promise<Response> {
  const { subject } = readParams(lookupQuerySchema, new URL(request.url).searchParams);
  const found = await lookUpSubject(source, parseSubject(subject));
  return respondWithEtag(request, JSON.stringify(found), sharedJsonHeaders);
}

/** Number of results to take suggestions from. */
const RESULTS = 20;

/** Maximum number of suggestions of each kind. */
const SHOWN = { names: 5, publishers: 3, traits: 3 } as const;

export const suggestQuerySchema = z.strictObject({
  q: z
    .string()
    .trim()
    .min(1, "must not be empty")
    .max(200, "must have at most 200 characters")
    .describe("Text typed so far. The last word may be incomplete."),
});

export const suggestionsSchema = z.object({
  names: z
    .array(z.string())
    .describe("Claimed names of the best matching services. Several services may share a name."),
  publishers: z.array(z.string()).describe("Claimed publishers of these services that match the words."),
  traits: z.array(z.string()).describe("Traits of these services that match the words."),
});

export type Suggestions = z.output<typeof suggestionsSchema>;

/**
 * Answers GET /api/suggest with completions of a search, best first. All of them are claimed.
 * @throws InvalidSearchError
 * @throws IndexRequiredError while the index is unavailable.
 */
export async function serveSuggestions(request: Request, source: SearchSource): Promise<Response> {
  const { q } = readParams(suggestQuerySchema, new URL(request.url).searchParams);
  const { results } = await searchRegistry(source, { q, limit: RESULTS });
  return respondWithEtag(request, JSON.stringify(extractSuggestions(q, results)), {
    "content-type": "application/json",
    "cache-control": "public, max-age=30",
  });
}

/** Extracts suggestions for a text from search results. */
export function extractSuggestions(
  q: string,
  results: readonly Pick<SearchResult, "name" | "publisher" | "traits">[],
): Suggestions {
  const words = tokenize(q);
  const hasWords = (text: string) => {
    const found = tokenize(text);
    return words.every((word) => found.some((other) => other.startsWith(word)));
  };
  /** Returns the first `count` texts, ignoring those that differ only in case and accents. */
  const first = (texts: readonly string[], count: number) => {
    const distinct = new Map<string, string>();
    for (const text of texts) {
      const key = tokenize(text).join(" ");
      if (key !== "" && !distinct.has(key)) distinct.set(key, text);
    }
    return [...distinct.values()].slice(0, count);
  };
  const names = results.map(({ name }) => claimedName(name ?? ""));
  const publishers = results.map(({ publisher }) => claimedName(publisher ?? "")).filter(hasWords);
  const traits = results.flatMap((result) => result.traits).filter(hasWords);
  return {
    names: first(names, SHOWN.names),
    publishers: first(publishers, SHOWN.publishers),
    traits: first(traits, SHOWN.traits),
  };
}
