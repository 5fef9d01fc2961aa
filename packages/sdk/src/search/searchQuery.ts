import * as z from "zod/mini";
import { type core, safeParse } from "zod/mini";
import type { AppSummary } from "../client/app.ts";
import { isUnderDid, normalizeDid } from "../did.ts";
import { AppRegistryError } from "../errors/appRegistryError.ts";
import { type AppStatus, appStatusNames, isInterfaceBitmap, parseStatus } from "../recordEnums.ts";
import { checksummedAddressSchema, described, describeIssue } from "../schemas.ts";
import { normalizeTrait, traitHash } from "../traits.ts";
import { compareVersions, formatVersion, parseVersion } from "../version.ts";
import { driftSchema, liveOutcomeSchema } from "./marks.ts";
import { outcomeSchema } from "./searchResult.ts";

function getMessage(error: unknown): string {
  if (error instanceof AppRegistryError) return error.shortMessage;
  return error instanceof Error ? error.message : String(error);
}

/** Returns a schema that runs a normalizer and reports its error as a problem of the field. */
const normalized = <Output>(normalize: (value: string) => Output) =>
  z.transform((value: string, context): Output => {
    try {
      return normalize(value);
    } catch (error) {
      context.issues.push({ code: "custom", input: value, message: getMessage(error) });
      return z.NEVER;
    }
  });

const integer = (schema: z.ZodMiniInt) =>
  z.union([
    schema,
    z.pipe(
      z.pipe(z.string().check(z.regex(/^\d+$/, "expected a whole number")), z.transform(Number)),
      schema,
    ),
  ]);

const maxTraits = 20;

const traitsSchema = described(
  z.pipe(
    z.union([
      z.pipe(
        z.string(),
        z.transform((text: string) => text.split(",").filter((trait) => trait.trim() !== "")),
      ),
      z.array(z.string()),
    ]),
    z.array(z.pipe(z.string(), normalized(normalizeTrait))).check(z.maxLength(maxTraits)),
  ),
  "Traits, separated by commas. Matched as trait hashes of the on-chain record.",
);

const statusNames = [...appStatusNames, "any", "0", "1", "2"] as const;

const statusSchema = described(
  z.union([
    z.literal([0, 1, 2]),
    z.pipe(
      z.enum(statusNames),
      z.transform((name: (typeof statusNames)[number]) =>
        name === "any" ? name : (parseStatus(name) ?? (Number(name) as AppStatus)),
      ),
    ),
  ]),
  "active, deprecated, replaced (or 0, 1, 2) or any. Default active; with updatedSince any.",
);

const versionPart = z.int().check(z.gte(0), z.lte(255));
const versionSchema = z.object({ major: versionPart, minor: versionPart, patch: versionPart });

/** Latest time, in Unix seconds: the end of the year 9999. A later time is probably in milliseconds. */
const maxTime = 253_402_300_799;

const timeSchema = described(
  z.union([
    integer(z.int().check(z.gte(0), z.lte(maxTime))),
    z.pipe(
      z.union([z.iso.datetime({ offset: true }), z.iso.date()]),
      z.transform((text: string) => Math.floor(Date.parse(text) / 1000)),
    ),
  ]),
  "Records changed at or after this time (ISO 8601 or Unix seconds). " +
    "Sorted by oldest change first. Includes all statuses unless `status` is set.",
);

const flagSchema = z.union([
  z.boolean(),
  z.pipe(
    z.enum(["true", "false"]),
    z.transform((text: "true" | "false") => text === "true"),
  ),
]);

const textSchema = z.pipe(
  z.string().check(z.trim(), z.maxLength(200)),
  z.transform((text: string) => text || undefined),
);

const factSchema = described(z.optional(outcomeSchema), "Required outcome of this fact.");

/** Parameters of a search, before the check for contradictions. */
export const parametersSchema = z.strictObject({
  traits: z.optional(traitsSchema),
  match: described(
    z._default(z.enum(["all", "any"]), "all"),
    "Whether results must have all of `traits` or any of them.",
  ),
  interface: described(
    z.optional(integer(z.int().check(z.refine(isInterfaceBitmap, "must be 1 to 7")))),
    "Interface bitmap, 1 to 7. Results must have every bit set.",
  ),
  q: described(
    z.optional(textSchema),
    "Full-text search in name, description, publisher, traits and DID. At most 200 characters.",
  ),
  status: z.optional(statusSchema),
  owner: described(z.optional(checksummedAddressSchema), "Holder of the token."),
  minter: described(z.optional(checksummedAddressSchema), "Account that minted the record."),
  did: described(z.optional(z.pipe(z.string(), normalized(normalizeDid))), "All records of one DID."),
  under: described(
    z.optional(z.pipe(z.string(), normalized(normalizeDid))),
    "A DID: its records and those of paths below it. Another port is another host.",
  ),
  minVersion: described(
    z.optional(z.union([z.pipe(z.string(), normalized(parseVersion)), versionSchema])),
    "Lowest version, as major.minor.patch.",
  ),
  control: factSchema,
  content: factSchema,
  attested: factSchema,
  live: described(z.optional(liveOutcomeSchema), "unknown also includes services not checked yet."),
  drift: z.optional(driftSchema),
  updatedSince: z.optional(timeSchema),
  sort: described(
    z.optional(z.enum(["relevance", "newest", "updated", "changed", "name"])),
    "Default: relevance with q, otherwise newest. updated: latest version first. changed: latest change first. " +
      "Not with updatedSince.",
  ),
  facets: described(
    z._default(flagSchema, false),
    "Whether to include the total and facet counts of all matches.",
  ),
  limit: described(
    z._default(integer(z.int().check(z.gte(1), z.lte(100))), 20),
    "Results per page, 1 to 100.",
  ),
  cursor: described(
    z.optional(z.string().check(z.minLength(1), z.maxLength(4000))),
    "nextCursor from the previous page.",
  ),
  minBlock: described(
    z.optional(integer(z.int().check(z.gte(0)))),
    "Block of a receipt. The index waits up to three seconds for it; `block` of the answer says if it has it.",
  ),
});

type Parameters = z.output<typeof parametersSchema>;

/** Returns problems of parameters that are valid alone but contradict each other. */
function contradictions(query: Parameters): { parameter: keyof Parameters; message: string }[] {
  const found: ReturnType<typeof contradictions> = [];
  if (query.sort === "relevance" && query.q === undefined) {
    found.push({ parameter: "sort", message: "relevance needs q" });
  }
  if (query.sort !== undefined && query.updatedSince !== undefined) {
    found.push({
      parameter: "sort",
      message: "can't be combined with updatedSince, which sorts by oldest change first",
    });
  }
  if (query.did !== undefined && query.under !== undefined) {
    found.push({ parameter: "under", message: "can't be combined with did" });
  }
  return found;
}

/**
 * Schema of a search, from a query string or an options object. Parsing normalizes a search, and does not change one
 * that was parsed before. Rejects unknown parameters, so that a misspelled filter never widens a search unnoticed.
 */
export const searchQuerySchema = z.pipe(
  parametersSchema.check(
    z.superRefine((query, context) => {
      for (const { parameter, message } of contradictions(query)) {
        context.addIssue({ code: "custom", path: [parameter], message });
      }
    }),
  ),
  // A mirror (updatedSince) must see that a record was deprecated. Other callers expect only records in use.
  z.transform(({ status, ...query }: Parameters) => ({
    ...query,
    status: status ?? (query.updatedSince === undefined ? (0 as const) : ("any" as const)),
  })),
);

/** Search as a caller writes it, before parsing. */
export type SearchQueryInput = z.input<typeof searchQuerySchema>;

/** Search with every default filled in and every value normalized. */
export type SearchQuery = z.output<typeof searchQuerySchema>;

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

type Filtered = Omit<AppSummary, "versionMajor" | "fungibleTokenId">;

/** Returns true if a record matches every filter of a search that needs no text index. */
export function matchesQuery(record: Filtered, query: SearchQuery): boolean {
  const { status, owner, minter, did, under, minVersion } = query;
  const interfaces = query.interface ?? 0;
  return (
    (status === "any" || record.status === status) &&
    (record.interfaces & interfaces) === interfaces &&
    (owner === undefined || record.owner === owner) &&
    (minter === undefined || record.minter === minter) &&
    (did === undefined || record.did === did) &&
    (under === undefined || isUnderDid(record.did, under)) &&
    (minVersion === undefined || compareVersions(record.latestVersion, minVersion) >= 0) &&
    matchesTraits(record, query)
  );
}

function matchesTraits({ traitHashes }: Filtered, { traits, match }: SearchQuery): boolean {
  if (!traits?.length) return true;
  const carried = traits.map((trait) => traitHashes.includes(traitHash(trait)));
  return match === "all" ? carried.every(Boolean) : carried.some(Boolean);
}
