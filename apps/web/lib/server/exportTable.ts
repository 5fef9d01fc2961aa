import { exportQuerySchema, exportRows } from "@app-registry/index/exportRows";
import { didHash } from "@app-registry/sdk";
import { readParams } from "@app-registry/sdk/internal";
import { ApiProblem } from "./problem.ts";
import { requireIndex } from "./readIndex.ts";
import type { Registry } from "./registry.ts";

/**
 * Answers GET /api/export/{table} with one page of index rows, one JSON object per line. Rows of hidden services are
 * removed, so a page may be shorter than its `limit`.
 * @throws ApiProblem 404 `not-found`, 503 `index-unavailable`; InvalidSearchError, InvalidCursorError.
 */
export async function serveExport(
  request: Request,
  registry: Pick<Registry, "index" | "hidden">,
): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  const table = pathname.split("/").at(-1) ?? "";
  const query = readParams(exportQuerySchema, [...searchParams, ["table", table]]);
  const { page, block } = await requireIndex(registry, "These rows come", async (session, last) => ({
    ...{ page: await exportRows(session, query), block: last },
  }));
  if (!page) throw new ApiProblem(404, "not-found", "Table not found");
  const next = new URLSearchParams({ limit: String(query.limit), cursor: page.nextCursor ?? "" });
  return new Response(withoutHidden(page.ndjson, registry.hidden.dids()), {
    headers: {
      "content-type": "application/x-ndjson",
      "cache-control": "no-cache",
      "index-block": String(block),
      ...(page.nextCursor && { link: `<?${next}>; rel="next"` }),
    },
  });
}

function withoutHidden(ndjson: string, dids: readonly string[]): string {
  if (dids.length === 0) return ndjson;
  const hashes = new Set<string>(dids.map(didHash));
  const isShown = (line: string) => line === "" || !hashes.has(String(JSON.parse(line).didHash));
  return ndjson.split("\n").filter(isShown).join("\n");
}
