import { z } from "zod";

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

type Direction = "input" | "output";
export type JsonSchema = Record<string, unknown>;

function jsonSchema(schema: z.core.$ZodType, io: Direction): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return rest;
}

const json = (schema: z.core.$ZodType, io: Direction = "output", type = "application/json") => ({
  content: { [type]: { schema: jsonSchema(schema, io) } },
});
export const answer = (description: string, schema: z.core.$ZodType) => ({ description, ...json(schema) });
export const problem = (description: string, schema: z.core.$ZodType = problemSchema) => ({
  description,
  ...json(schema, "output", "application/problem+json"),
});
/** Creates problem responses by HTTP status. */
export const problems = (texts: Record<number, string>, schema?: z.core.$ZodType) =>
  Object.fromEntries(Object.entries(texts).map(([status, text]) => [status, problem(text, schema)]));
export const anyJson = (description: string) => ({
  description,
  content: { "application/json": { schema: { type: "object" } } },
});
export const contentOfType = (type: string, description: string) => ({
  description,
  content: { [type]: { schema: { type: "string", contentMediaType: type } } },
});
export const body = (schema: z.core.$ZodType) => ({ required: true, ...json(schema, "input") });

export function queryParameters(schema: z.core.$ZodType): JsonSchema[] {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...rest } = property as JsonSchema;
    return { name, in: "query", required: required.includes(name), description, schema: rest };
  });
}

export const versionedDid = (description: string) => ({
  name: "versionedDid",
  in: "path",
  required: true,
  description: `${description} May contain "/". A %3A in the DID can be sent as %3A or encoded again as %253A.`,
  schema: { type: "string" },
});

/** Response headers of routes with a limit: draft-ietf-httpapi-ratelimit-headers. */
const rateLimitHeaders = {
  RateLimit: {
    description: "Remaining requests (r) and seconds until reset (t) per limit.",
    schema: { type: "string" },
  },
  "RateLimit-Policy": {
    description: "Requests allowed (q) per window in seconds (w).",
    schema: { type: "string" },
  },
};
const retryAfter = { "Retry-After": { description: "Seconds.", schema: { type: "integer" } } };
export const rateLimitedResponse = (schema?: z.core.$ZodType) => ({
  "429": { ...problem("Too many requests.", schema), headers: { ...rateLimitHeaders, ...retryAfter } },
});
export const bodyProblems = {
  408: "The body did not arrive in time.",
  413: "The body is too large.",
  415: "The body is not application/json.",
};

/** Problem of routes whose POST acts. */
export const otherSite = { 403: "A page of another site sent the request (`other-site`)." };

/** Response of routes that send an ETag. */
export const notModifiedResponse = {
  "304": { description: "Not modified: If-None-Match matches the current ETag." },
};

export const badRequest = { 400: "Invalid request. `problems` lists every invalid part." };
export const notRegistered = { 404: "The service or the version is not registered." };
export const hidden = {
  451: "The operator has hidden this service (`hidden`). `detail` gives the public reason.",
};
export const unavailable = { 503: "The chain is unreachable. Try again." };

type Operation = { description?: string; requestBody?: object; parameters?: object[]; responses: object };
export const get = (operationId: string, summary: string, operation: Operation) => ({
  get: { operationId, summary, ...operation },
});
export const post = (operationId: string, summary: string, operation: Operation) => ({
  post: { operationId, summary, ...operation },
});
