import type { SearchProblem } from "@app-registry/sdk";
import { parseParams } from "@app-registry/sdk/internal";
import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { z } from "zod";

/** Responds with an RFC 9457 problem. `code` is stable, `problems` lists each wrong parameter, `detail` joins them. */
export function problem(
  context: Context,
  status: ContentfulStatusCode,
  code: string,
  title: string,
  problems?: readonly SearchProblem[],
) {
  const detail = problems?.map(({ parameter, message }) => `${parameter}: ${message}`).join("; ");
  return context.body(
    JSON.stringify({ type: "about:blank", title, status, code, ...(problems && { detail, problems }) }),
    status,
    { "content-type": "application/problem+json" },
  );
}

/** Parses the query string and the named parts of the path with a schema. */
export const readParameters = <Schema extends z.core.$ZodType>({ req }: Context, schema: Schema) =>
  parseParams(schema, [...new URL(req.url).searchParams, ...Object.entries(req.param())]);

/**
 * Responds with a JSON text in one piece. Ponder has already created a response with CORS headers, into which Hono
 * would stream this one, at a higher cost than the rest of the request.
 */
export function jsonText(context: Context, text: string, headers: Record<string, string> = {}): Response {
  // Takes over the headers of Ponder's response.
  const response = context.body(text, 200, { "content-type": "application/json", ...headers });
  context.res = undefined;
  context.res = response;
  return response;
}
