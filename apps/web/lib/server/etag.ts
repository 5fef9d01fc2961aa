import { createHash } from "node:crypto";

/**
 * Returns true if the caller has the representation with this ETag: If-None-Match by weak comparison (RFC 9110,
 * 13.1.2).
 */
export function matchesEtag(request: Request, etag: string): boolean {
  const header = request.headers.get("if-none-match");
  if (header === null) return false;
  const plain = (tag: string) => tag.trim().replace(/^W\//, "");
  return header.split(",").some((tag) => tag.trim() === "*" || plain(tag) === plain(etag));
}

/**
 * Responds with a body and an ETag of its bytes, or with 304 if the caller has the body. The ETag is weak because a
 * proxy may compress the body.
 */
export function respondWithEtag(
  request: Request,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string>,
): Response {
  const etag = `W/"${createHash("sha256").update(body).digest("base64url")}"`;
  return matchesEtag(request, etag)
    ? new Response(null, { status: 304, headers: { ...headers, etag } })
    : new Response(body, { headers: { ...headers, etag } });
}

/**
 * Cache-Control of answers that are the same for every client, as long as the registry is at the same block. Clients
 * revalidate them. A shared cache (RFC 9111) keeps them for about a block, and answers with an older one while it asks
 * for the next (RFC 5861).
 */
export const sharedForBlock = "public, max-age=0, s-maxage=2, stale-while-revalidate=30";

/** Headers of such JSON. */
export const sharedJsonHeaders = { "content-type": "application/json", "cache-control": sharedForBlock };
