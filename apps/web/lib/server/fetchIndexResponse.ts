import type { Environment } from "@app-registry/server/environment";
import { fetchFromIndexer, type IndexerAnswer, parseAnswer } from "@app-registry/server/fetchFromIndexer";
import { ApiProblem } from "./problem.ts";

/** Milliseconds that the index has for a page. */
const TIMEOUT = 15_000;

/**
 * What the index answers, for routes that hand it on.
 * @throws ApiProblem 503 `index-unavailable`, 400 or 404 as the index says.
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
