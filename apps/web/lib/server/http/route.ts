import type { LimitName } from "@app-registry/server/variables";
import { z } from "zod";
import type { ApiProblem } from "./problem.ts";
import type { LogFields } from "./requestLog.ts";
import type { Turns } from "./turns.ts";

/** Context that a handler receives besides the request. */
export type RouteContext = {
  requestId: string;
  /** Returns the client's address as the limits count it: see `RateLimits.clientAddress`. */
  clientAddress(): string;
  /**
   * Counts the request, or `points` requests, against a limit of the server.
   * @throws ApiProblem 429 `rate-limited`, 503 `limits-unavailable`.
   */
  count(name: LimitName, key: string, points?: number): Promise<void>;
  /** Adds to the request's log line. */
  note(fields: LogFields): void;
};

/** Operation of the API: how to match, validate, limit, answer and document it. */
export type Route<Body extends z.ZodType = z.ZodType> = {
  method: "get" | "post";
  /** Path in the OpenAPI document. */
  path: string;
  /** Paths to match, in Hono's syntax. Default: `path`, with a DID of any length for `versionedDid`. */
  match?: string[];
  /** Limits that count each request by its client before the handler runs. */
  limits?: LimitName[];
  /** Runs the handler in turn with those of other clients. See `createTurns`. */
  inTurn?: Turns;
  /** True if the POST only reads, so pages of every site may send it. */
  onlyReads?: boolean;
  /** Event name to log for every request. Default: only server failures are logged. */
  logged?: string;
  /** Schema of the JSON body, which is validated before the handler runs. */
  body?: Body;
  /** Converts a problem to the route's own response format. Default: problem details (RFC 9457). */
  onProblem?: (problem: ApiProblem, context: RouteContext) => Response;
  /** Documentation of the operation. Routes without it are not part of the OpenAPI document. */
  documented?: Documentation;
  handler(request: Request, context: RouteContext & { body: z.output<Body> }): Promise<Response>;
};

type Documentation = {
  operationId: string;
  summary: string;
  description?: string;
  tags?: string[];
  /** Schema of the query. */
  query?: z.core.$ZodType;
  parameters?: JsonSchema[];
  responses: Record<number, object>;
  /** Texts of the problems by HTTP status. Those that follow from the definition need none. */
  errors?: Record<number, string>;
  /** Schema of the problems. Default: problem details (RFC 9457). */
  problem?: z.core.$ZodType;
};

/** Checks the type of a definition and returns it without the type of its body. */
export const defineRoute = <Body extends z.ZodType>(route: Route<Body>): Route => route as unknown as Route;

/** Problem details (RFC 9457) with the members that every problem of this API has. */
export const problemSchema = z.object({
  type: z.literal("about:blank"),
  title: z.string(),
  status: z.int().describe("The HTTP status."),
  code: z.string().describe("Stable error code."),
  detail: z.string().optional(),
  problems: z
    .array(
      z.object({ pointer: z.string().optional(), parameter: z.string().optional(), message: z.string() }),
    )
    .optional()
    .describe("Every invalid part of the request."),
  retryable: z.boolean().describe("Whether retrying the same request may succeed."),
  requestId: z.string(),
});

type JsonSchema = Record<string, unknown>;

function jsonSchema(schema: z.core.$ZodType, io: "input" | "output"): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return rest;
}

const toContent = (type: string, schema: JsonSchema) => ({ content: { [type]: { schema } } });

export const answer = (description: string, schema: z.core.$ZodType) => ({
  description,
  ...toContent("application/json", jsonSchema(schema, "output")),
});
export const anyJson = (description: string) => ({
  description,
  ...toContent("application/json", { type: "object" }),
});
export const contentOfType = (type: string, description: string) => ({
  description,
  ...toContent(type, { type: "string", contentMediaType: type }),
});

/** Options of a response that nobody may cache. */
export const noStore = { headers: { "cache-control": "no-store" } };

/** Response of routes that send an ETag. */
export const notModified = {
  304: { description: "Not modified: If-None-Match matches the current ETag." },
};

export const badRequest = { 400: "Invalid request. `problems` lists every invalid part." };
export const notRegistered = { 404: "The service or the version is not registered." };
export const hidden = {
  451: "The operator has hidden this service (`hidden`). `detail` gives the public reason.",
};
export const noIndex = { 503: "The search index is unavailable. Try again." };
export const unavailable = { 503: "The chain is unreachable. Try again." };

export const versionedDid = (description: string) => ({
  name: "versionedDid",
  in: "path",
  required: true,
  description: `${description} May contain "/". A %3A in the DID can be sent as %3A or encoded again as %253A.`,
  schema: { type: "string" },
});

const bodyProblems = {
  408: "The body did not arrive in time.",
  413: "The body is too large.",
  415: "The body is not application/json.",
};
const otherSite = { 403: "A page of another site sent the request (`other-site`)." };

const text = (description: string) => ({ description, schema: { type: "string" } });
/** Response headers of routes with a limit: draft-ietf-httpapi-ratelimit-headers. */
const limitHeaders = {
  RateLimit: text("Remaining requests (r) and seconds until reset (t) per limit."),
  "RateLimit-Policy": text("Requests allowed (q) per window in seconds (w)."),
  "Retry-After": { description: "Seconds.", schema: { type: "integer" } },
};

function listQueryParameters(schema: z.core.$ZodType): JsonSchema[] {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...rest } = property as JsonSchema;
    return { name, in: "query", required: required.includes(name), description, schema: rest };
  });
}

/** Returns the OpenAPI operation of a documented route, with the problems that follow from its definition. */
export function describeOperation(
  { method, limits, inTurn, onlyReads, body }: Route,
  documented: Documentation,
) {
  const { query, parameters = [], responses, errors, problem = problemSchema, ...rest } = documented;
  const describeProblem = (description: string) => ({
    description,
    ...toContent("application/problem+json", jsonSchema(problem, "output")),
  });
  const all = [...parameters, ...(query ? listQueryParameters(query) : [])];
  const texts = {
    ...(method === "post" && !onlyReads && otherSite),
    ...(body && bodyProblems),
    ...(inTurn && { 503: "Too many requests are waiting. Try again." }),
    ...errors,
  };
  return {
    ...rest,
    ...(all.length > 0 && { parameters: all }),
    ...(body && {
      requestBody: { required: true, ...toContent("application/json", jsonSchema(body, "input")) },
    }),
    responses: {
      ...responses,
      ...(limits && { 429: { ...describeProblem("Too many requests."), headers: limitHeaders } }),
      ...Object.fromEntries(Object.entries(texts).map(([status, each]) => [status, describeProblem(each)])),
    },
  };
}
