import { type core, safeParse } from "zod/mini";
import { AppRegistryError } from "../errors/appRegistryError.ts";
import { describeIssue } from "../issueTexts.ts";
import { formatVersion } from "../version.ts";
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
 * Normalizes a search and fills in its defaults.
 *
 * @throws {InvalidSearchError} when a parameter is unknown, has a wrong value or contradicts another.
 * @example
 * parseSearchQuery({ traits: "api:mcp, Weather" }).traits; // ["api:mcp", "weather"]
 */
export function parseSearchQuery(input: SearchQueryInput | Readonly<Record<string, unknown>>): SearchQuery {
  return parseInput(searchQuerySchema, input);
}

/** Reads an object of parameters with a schema. @throws {InvalidSearchError} with each invalid parameter. */
export const parseInput = <Schema extends core.$ZodType>(schema: Schema, input: unknown) =>
  getData(parse(schema, input));

/**
 * Reads a search from a URL's query, like `GET /api/search`.
 *
 * @throws {InvalidSearchError} when a parameter is unknown, given more than once, has a wrong value or contradicts
 * another. Lists every such parameter.
 * @example
 * parseSearchParams(new URLSearchParams("traits=weather&interface=2")).interface; // 2
 */
export function parseSearchParams(params: URLSearchParams): SearchQuery {
  return readParams(searchQuerySchema, params);
}

/** Returns the query string of a search, which {@link parseSearchParams} reads. */
export function toSearchParams({ minVersion, ...query }: SearchQueryInput): URLSearchParams {
  const version = typeof minVersion === "object" ? formatVersion(minVersion) : minVersion;
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...query, minVersion: version })) {
    if (value !== undefined) params.set(name, String(value));
  }
  return params;
}

/**
 * Reads named texts with a schema.
 * @throws {InvalidSearchError} with each parameter that is unknown, duplicate or invalid.
 */
export const readParams = <Schema extends core.$ZodType>(
  schema: Schema,
  params: Iterable<[name: string, value: string]>,
): core.output<Schema> => getData(parseParams(schema, params));

type Parsed<Value> = { data: Value } | { problems: SearchProblem[] };

/** Parses named texts with a schema. Each parameter that is unknown, duplicate or invalid gives one problem. */
export function parseParams<Schema extends core.$ZodType>(
  schema: Schema,
  params: Iterable<[name: string, value: string]>,
): Parsed<core.output<Schema>> {
  const values = new Map<string, string>();
  const repeated = new Set<string>();
  for (const [name, value] of params) {
    if (values.has(name)) repeated.add(name);
    values.set(name, value);
  }
  for (const name of repeated) values.delete(name);
  const parsed = parse(schema, Object.fromEntries(values));
  if (repeated.size === 0) return parsed;
  const duplicates = [...repeated].map((parameter) => ({ parameter, message: "is given more than once" }));
  const others =
    "problems" in parsed ? parsed.problems.filter(({ parameter }) => !repeated.has(parameter)) : [];
  return { problems: [...duplicates, ...others] };
}

function parse<Schema extends core.$ZodType>(schema: Schema, input: unknown): Parsed<core.output<Schema>> {
  const parsed = safeParse(schema, input, { error: describeIssue });
  if (parsed.success) return { data: parsed.data };
  const problems = parsed.error.issues.flatMap((issue): SearchProblem[] =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((parameter) => ({ parameter, message: "is not a search parameter" }))
      : [{ parameter: String(issue.path[0] ?? ""), message: formatIssue(issue) }],
  );
  return { problems };
}

function getData<Value>(parsed: Parsed<Value>): Value {
  if ("problems" in parsed) throw new InvalidSearchError(parsed.problems);
  return parsed.data;
}

/** Returns the message of an issue. Reads the branches of a union, which has no message of its own. */
function formatIssue(issue: core.$ZodIssue): string {
  if (issue.code !== "invalid_union") return issue.message;
  const inner = issue.errors.flat();
  const telling = inner.filter(({ code }) => code !== "invalid_type");
  const best = telling.at(-1) ?? inner.at(-1);
  return best === undefined ? issue.message : formatIssue(best);
}
