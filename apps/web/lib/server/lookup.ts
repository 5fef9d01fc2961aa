import { lookUp } from "@app-registry/index/lookup";
import {
  type CanonicalDid,
  chooseService,
  type Lookup,
  type LookupMatch,
  parseSubject,
  type Subject,
  type VersionSelector,
} from "@app-registry/sdk";
import { readParams } from "@app-registry/sdk/internal";
import { z } from "zod";
import { respondWithEtag, sharedJsonHeaders } from "./etag.ts";
import { refuseHidden } from "./operator/hiddenServices.ts";
import { requireIndex } from "./readIndex.ts";
import type { Registry } from "./registry.ts";

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
