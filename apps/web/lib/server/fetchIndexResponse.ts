import type { Environment } from "@app-registry/server/environment";
import { fetchFromIndexer, type IndexerAnswer, parseAnswer } from "@app-registry/server/fetchFromIndexer";
import { ApiProblem, type ProblemDetails } from "./problem.ts";

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
  throw readIndexProblem(answer);
}

/** Returns the problem in an index's response, to pass on to the client. */
export function readIndexProblem(answer: IndexerAnswer): ApiProblem {
  const { code, title, detail, problems } = parseAnswer(answer) as ProblemDetails & {
    code: string;
    title: string;
  };
  return new ApiProblem(answer.status, code, title, { detail, problems });
}
