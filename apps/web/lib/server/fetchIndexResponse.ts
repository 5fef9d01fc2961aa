import type { Environment } from "@app-registry/server/environment";
import { fetchFromIndexer, type IndexerAnswer, parseAnswer } from "@app-registry/server/fetchFromIndexer";
import { ApiProblem } from "./problem.ts";

/** Time limit of a page request to the index, in milliseconds. */
const TIMEOUT = 15_000;

/**
 * Returns the index's response, for routes that forward it.
 * @throws ApiProblem 503 `index-unavailable`, or the index's 400 or 404.
 */
export async function fetchIndexResponse(
  { indexerUrls }: Pick<Environment, "indexerUrls">,
  path: string,
): Promise<IndexerAnswer> {
  const answer = await fetchFromIndexer(indexerUrls, path, { timeout: TIMEOUT });
  if (!answer || answer.status >= 500) {
    const detail = "These rows come from the search index, which is unavailable or being built.";
    throw new ApiProblem(503, "index-unavailable", "Search index unavailable", { detail, retryable: true });
  }
  if (answer.status === 200) return answer;
  const { code, title, problems } = parseAnswer(answer) as { code: string; title: string; problems?: [] };
  throw new ApiProblem(answer.status, code, title, { problems });
}
