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

/** Headers of JSON that clients must revalidate before reuse. */
export const noCacheJsonHeaders = { "content-type": "application/json", "cache-control": "no-cache" };
