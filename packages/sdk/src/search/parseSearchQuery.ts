import { en } from "zod/locales";
import type { core } from "zod/mini";
import { AppRegistryError } from "../errors/appRegistryError.ts";
import { type SearchQuery, type SearchQueryInput, searchQuerySchema } from "./searchQuery.ts";

/** Invalid parameter of a search. */
export type SearchProblem = { parameter: string; message: string };

/** Thrown when the search has invalid parameters. `problems` names each. */
export class InvalidSearchError extends AppRegistryError {
  override readonly name = "InvalidSearchError";
  readonly problems: readonly SearchProblem[];

  constructor(problems: readonly SearchProblem[]) {
    const list = problems
      .map(({ parameter, message }) => `${parameter}: ${message.replace(/\.$/, "")}`)
      .join("; ");
    super(`The search is not valid: ${list}.`, {
      action: "Fix the parameters and try again.",
      docsPath: "/sdk#search",
    });
    this.problems = problems;
  }
}

/**
 * Normalises a search and fills in its defaults.
 *
 * @throws {InvalidSearchError} when a parameter is unknown, has a wrong value or contradicts another.
 * @example
 * parseSearchQuery({ traits: "api:mcp, Weather" }).traits; // ["api:mcp", "weather"]
 */
export function parseSearchQuery(input: SearchQueryInput | Readonly<Record<string, unknown>>): SearchQuery {
  return parse(input, []);
}

/**
 * Reads a search from a URL's query, like `GET /api/search`.
 *
 * @throws {InvalidSearchError} when a parameter is unknown, given more than once, has a wrong value or contradicts
 * another. Lists every such parameter.
 * @example
 * parseSearchParams(new URLSearchParams("traits=weather&interface=2")).interface; // 2
 */
export function parseSearchParams(params: URLSearchParams): SearchQuery {
  const repeated = new Set([...params.keys()].filter((name) => params.getAll(name).length > 1));
  const problems = [...repeated].map((parameter) => ({ parameter, message: "is given more than once" }));
  const once = [...params].filter(([name]) => !repeated.has(name));
  return parse(Object.fromEntries(once), problems);
}

function parse(input: unknown, problems: SearchProblem[]): SearchQuery {
  const parsed = searchQuerySchema.safeParse(input, { error: en().localeError });
  if (parsed.success && problems.length === 0) return parsed.data;
  const found = (parsed.error?.issues ?? []).flatMap((issue): SearchProblem[] =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((parameter) => ({ parameter, message: "is not a search parameter" }))
      : [{ parameter: String(issue.path[0] ?? ""), message: formatIssue(issue) }],
  );
  throw new InvalidSearchError([...problems, ...found]);
}

/**
 * Returns a message with the allowed values. Also reads the branches of a union, for which zod only reports invalid
 * input.
 */
function formatIssue(issue: core.$ZodIssue): string {
  if (issue.code === "invalid_value") return `expected ${issue.values.map(named).join(", ")}`;
  if (issue.code !== "invalid_union") return issue.message;
  const inner = issue.errors.flat();
  const telling = inner.filter(({ code }) => code !== "invalid_type");
  const [best = issue] = telling.toReversed();
  return best === issue ? issue.message : formatIssue(best);
}

const named = (value: unknown): string => (typeof value === "string" ? `"${value}"` : String(value));
