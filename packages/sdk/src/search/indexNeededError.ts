import { AppRegistryError } from "../errors/appRegistryError.ts";
import type { SearchProblem } from "./parseSearchQuery.ts";
import type { SearchQuery } from "./searchQuery.ts";

/** A search that the chain alone can't answer. `problems` names each parameter that needs the index. */
export class IndexNeededError extends AppRegistryError {
  override readonly name = "IndexNeededError";
  readonly problems: readonly SearchProblem[];

  constructor(problems: readonly SearchProblem[]) {
    const list = problems.map(({ parameter, message }) => `${parameter}: ${message}`).join("; ");
    super(`This search needs the index: ${list}.`, {
      action: "Leave it out, or search a registry's web service while its index is up.",
      docsPath: "/sdk#search",
      retryable: true,
    });
    this.problems = problems;
  }
}

/**
 * The parameters of a search that the chain can't answer. `sort` and `facets` are not among them: they change how an
 * answer is shown, not what is found.
 */
export function chainProblems({ q, name, updatedSince, cursor, ...query }: SearchQuery): SearchProblem[] {
  const problems: SearchProblem[] = [];
  if (q !== undefined) problems.push({ parameter: "q", message: "the chain has no text index" });
  if (name !== undefined) {
    problems.push({ parameter: "name", message: "the chain doesn't list records by name" });
  }
  if (updatedSince !== undefined) {
    problems.push({ parameter: "updatedSince", message: "the chain doesn't list records by change" });
  }
  for (const parameter of ["control", "content", "attested", "live", "drift"] as const) {
    if (query[parameter] !== undefined)
      problems.push({ parameter, message: "the chain doesn't list records by facts" });
  }
  // Base64url of a JSON array of texts.
  if (cursor?.startsWith("Wy"))
    problems.push({ parameter: "cursor", message: "it is a cursor of the index" });
  return problems;
}
