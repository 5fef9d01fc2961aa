import { AppRegistryError } from "../errors/appRegistryError.ts";
import type { SearchProblem } from "./parseSearchQuery.ts";
import type { SearchQuery } from "./searchQuery.ts";

/** Thrown when the search needs the search index. `problems` names each parameter that the chain cannot serve. */
export class IndexRequiredError extends AppRegistryError {
  override readonly name = "IndexRequiredError";
  readonly problems: readonly SearchProblem[];

  constructor(problems: readonly SearchProblem[]) {
    const list = problems.map(({ parameter, message }) => `${parameter}: ${message}`).join("; ");
    super(`This search needs the search index: ${list}.`, {
      action: "Remove that parameter, or search a registry web service whose index is available.",
      docsPath: "/sdk#search",
      retryable: true,
    });
    this.problems = problems;
  }
}

/**
 * Returns the parameters of a search that the chain cannot serve. `sort` and `facets` are not among them, because they
 * do not change the set of matches.
 */
export function findIndexOnlyParameters({ q, updatedSince, cursor, ...query }: SearchQuery): SearchProblem[] {
  const problems: SearchProblem[] = [];
  if (q !== undefined) problems.push({ parameter: "q", message: "the chain can't be searched by text" });
  if (updatedSince !== undefined) {
    problems.push({ parameter: "updatedSince", message: "the chain can't sort or filter by last change" });
  }
  for (const parameter of ["control", "content", "attested", "live", "drift"] as const) {
    if (query[parameter] !== undefined)
      problems.push({ parameter, message: "the chain can't filter by facts" });
  }
  // A cursor of the index is the base64url form of a JSON array of strings, which begins with `["`.
  if (cursor?.startsWith("Wy"))
    problems.push({ parameter: "cursor", message: "this cursor belongs to the search index" });
  return problems;
}
