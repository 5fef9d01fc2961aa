import { CDN_LOOP, readRecordedDocument } from "@app-registry/outbound";
import { formatVersion, parseVersionedDidPath, TimeLimitError, type VersionQuery } from "@app-registry/sdk";
import { createDeadline } from "@app-registry/server/async";
import { ApiProblem, toApiProblem } from "../http/problem.ts";
import { matchesEtag, rawPathAfter, sharedForBlock } from "../http/request.ts";
import type { CachedDocument, Registry } from "../registry.ts";

const securityPolicy = { "content-security-policy": "default-src 'none'; sandbox" };

/** Time limit of the chain if a cached document is available, in milliseconds. */
const CHAIN_TIMEOUT = 4_000;

/**
 * Serves the metadata document of a version: the canonical text (RFC 8785) whose hash the registry records. The
 * dataHash is its ETag; a full x.y.z never changes. While the chain is unavailable, serves an x.y.z from memory if it
 * was served before, with `Cache-Status` (RFC 9211).
 */
export async function serveDataUrl(request: Request, registry: Registry): Promise<Response> {
  const { did, ...version } = parseVersionedDidPath(rawPathAfter(request, "/api/data-url/"));
  const { patch } = version;
  if (patch === undefined) return (await readDocument(request, registry, { did, version })).response;
  const key = `${did}/v/${formatVersion({ ...version, patch })}`;
  const kept = registry.documents.get(key);
  try {
    const read = () => readDocument(request, registry, { did, version }, kept);
    const reading = read().catch((error: unknown) => {
      // Retry once: a reorganization between the two reads can move the document to another pointer.
      if (toApiProblem(error).code !== "hash-mismatch") throw error;
      return read();
    });
    const { response, document } = await (kept ? createDeadline(CHAIN_TIMEOUT)(reading) : reading);
    if (document) registry.documents.set(key, document);
    return response;
  } catch (error) {
    const { code } = toApiProblem(error);
    if (kept && (code === "chain-unavailable" || error instanceof TimeLimitError)) {
      return serveCached(request, kept, code);
    }
    // The registry no longer records the cached version.
    if (code === "version-not-found" || code === "app-not-found") registry.documents.delete(key);
    throw error;
  }
}

/**
 * Reads a document that the registry currently records. `document` is undefined if the caller already has it.
 * @param kept Document that was served before. It is served again if the chain still records it and has its JSON.
 */
async function readDocument(
  request: Request,
  { client, guardedFetch }: Registry,
  query: { did: string; version: VersionQuery },
  kept?: CachedDocument,
): Promise<{ response: Response; document?: CachedDocument }> {
  const record = await client.getVersionRecord(query);
  const headers = {
    ...securityPolicy,
    etag: formatEtag(record),
    "cache-control":
      query.version.patch === undefined ? sharedForBlock : "public, max-age=31536000, immutable",
  };
  if (matchesEtag(request, headers.etag)) return { response: new Response(null, { status: 304, headers }) };
  if (!record.pointer && request.headers.get("cdn-loop")?.includes(CDN_LOOP)) {
    throw new ApiProblem(508, "data-url-loop", "The dataUrl points back to this server", {
      detail: `The JSON of this version is not on the chain, and its dataUrl is ${record.dataUrl}.`,
    });
  }
  const isKept = record.pointer !== undefined && kept?.dataHash === record.dataHash;
  const bytes = isKept
    ? kept.bytes
    : new TextEncoder().encode((await readRecordedDocument({ client, guardedFetch, record })).canonical);
  return {
    response: new Response(bytes, { headers: { ...headers, "content-type": "application/json" } }),
    document: { dataHash: record.dataHash, bytes },
  };
}

/** Serves a cached document without a long cache time, because the chain did not confirm that it is still recorded. */
function serveCached(request: Request, kept: CachedDocument, reason: string): Response {
  const headers = {
    ...securityPolicy,
    etag: formatEtag(kept),
    "cache-control": "public, no-cache",
    "cache-status": `app-registry; hit; detail=${reason}`,
  };
  return matchesEtag(request, headers.etag)
    ? new Response(null, { status: 304, headers })
    : new Response(kept.bytes, { headers: { ...headers, "content-type": "application/json" } });
}

const formatEtag = ({ dataHash }: { dataHash: string }) => `"${dataHash}"`;
