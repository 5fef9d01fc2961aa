import { didHash } from "@app-registry/sdk";
import { fetchIndexResponse } from "./fetchIndexResponse.ts";
import { ApiProblem } from "./problem.ts";
import type { Registry } from "./registry.ts";

/**
 * Answers GET /api/export/{table} with one page of index rows, one JSON object per line. Rows of hidden services are
 * removed, so a page may be shorter than its `limit`.
 * @throws ApiProblem 503 `index-unavailable`, or the index's 400 or 404.
 */
export async function serveExport(
  request: Request,
  { environment, hidden }: Pick<Registry, "environment" | "hidden">,
): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const table = pathname.split("/").at(-1) ?? "";
  if (!/^[a-z-]+$/.test(table)) throw new ApiProblem(404, "not-found", "Table not found");
  const answer = await fetchIndexResponse(environment, `/export/${table}${search}`);
  const { link, "index-block": block } = answer.headers;
  return new Response(withoutHidden(answer.bytes, hidden.dids()), {
    headers: {
      "content-type": "application/x-ndjson",
      "cache-control": "no-cache",
      "index-block": String(block),
      ...(link && { link: String(link) }),
    },
  });
}

function withoutHidden(
  ndjson: Uint8Array<ArrayBuffer>,
  dids: readonly string[],
): string | Uint8Array<ArrayBuffer> {
  if (dids.length === 0) return ndjson;
  const hashes = new Set<string>(dids.map(didHash));
  const isShown = (line: string) => line === "" || !hashes.has(String(JSON.parse(line).didHash));
  return new TextDecoder().decode(ndjson).split("\n").filter(isShown).join("\n");
}
