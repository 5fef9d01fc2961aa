import { parseVersionedDidPath } from "@app-registry/sdk";
import { CDN_LOOP, readRecordedDocument } from "@app-registry/sdk/issuer";
import { ApiProblem } from "./problem.ts";
import { rawPathAfter } from "./rawPath.ts";
import type { Registry } from "./registry.ts";

/**
 * Serves the metadata document of a version: the canonical text (RFC 8785) whose hash the registry records. The
 * dataHash is its ETag; a full x.y.z never changes.
 */
export async function serveDataUrl(request: Request, { client, guardedFetch }: Registry): Promise<Response> {
  const { did, ...version } = parseVersionedDidPath(rawPathAfter(request, "/api/data-url/"));
  const record = await client.getVersionRecord({ did, version });
  const etag = `"${record.dataHash}"`;
  const headers = {
    etag,
    "cache-control": version.patch === undefined ? "public, no-cache" : "public, max-age=31536000, immutable",
    "content-security-policy": "default-src 'none'; sandbox",
  };
  if (matches(request.headers.get("if-none-match"), etag))
    return new Response(null, { status: 304, headers });
  if (!record.pointer && request.headers.get("cdn-loop")?.includes(CDN_LOOP)) {
    throw new ApiProblem(508, "data-url-loop", "The dataUrl leads back to this server", {
      detail: `The JSON of this version is not on the chain, and its dataUrl is ${record.dataUrl}.`,
    });
  }
  const { canonical } = await readRecordedDocument({ client, guardedFetch, record });
  return new Response(canonical, { headers: { ...headers, "content-type": "application/json" } });
}

/** If-None-Match by weak comparison, RFC 9110. */
function matches(header: string | null, etag: string): boolean {
  if (header === null) return false;
  return header.split(",").some((part) => part.trim() === "*" || part.trim().replace(/^W\//, "") === etag);
}
