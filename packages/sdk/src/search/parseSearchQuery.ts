import { AppRegistryError } from "../errors/appRegistryError.ts";
import { type SearchQuery, type SearchQueryInput, searchQuerySchema } from "./searchQuery.ts";

/** One wrong parameter of a search. */
export type SearchProblem = { parameter: string; message: string };

/** A search that can't be answered as it stands. `problems` names each wrong parameter. */
export class InvalidSearchError extends AppRegistryError {
  override readonly name = "InvalidSearchError";
  readonly problems: readonly SearchProblem[];

  constructor(problems: readonly SearchProblem[]) {
    const list = problems.map(({ parameter, message }) => `${parameter}: ${message}`).join("; ");
    super(`The search is not valid: ${list}.`, {
      action: "Correct the parameters.",
      docsPath: "/sdk#search",
    });
    this.problems = problems;
  }
}

/**
 * Normalises a search and fills in its defaults.
 *
 * @throws {InvalidSearchError}
 * @example
 * parseSearchQuery({ traits: "api:mcp, Weather" }).traits; // ["api:mcp", "weather"]
 */
export function parseSearchQuery(input: SearchQueryInput | Readonly<Record<string, unknown>>): SearchQuery {
  const parsed = searchQuerySchema.safeParse(input);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message, ...issue }) => ({
    parameter: issue.code === "unrecognized_keys" ? issue.keys.join(", ") : String(path[0] ?? ""),
    message: issue.code === "unrecognized_keys" ? "unknown parameter" : message,
  }));
  throw new InvalidSearchError(problems);
}
