import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { z } from "zod";

/** Problem of one parameter. */
export type ParameterProblem = { parameter: string; message: string };

/** Responds with an RFC 9457 problem. `code` is stable, `problems` lists each wrong parameter, `detail` joins them. */
export function problem(
  context: Context,
  status: ContentfulStatusCode,
  code: string,
  title: string,
  problems?: readonly ParameterProblem[],
) {
  const detail = problems?.map(({ parameter, message }) => `${parameter}: ${message}`).join("; ");
  return context.body(
    JSON.stringify({ type: "about:blank", title, status, code, ...(problems && { detail, problems }) }),
    status,
    { "content-type": "application/problem+json" },
  );
}

/**
 * Parses the query string and the named parts of the path with a schema. Each parameter that is unknown, duplicate or
 * invalid gives one problem.
 */
export function readParameters<Schema extends z.ZodType>(
  context: Context,
  schema: Schema,
): { data: z.output<Schema> } | { problems: ParameterProblem[] } {
  const path = context.req.param();
  const given = Object.entries(context.req.queries());
  const repeated = given.filter(([name, values]) => values.length > 1 || Object.hasOwn(path, name));
  if (repeated.length > 0) {
    return { problems: repeated.map(([parameter]) => ({ parameter, message: "is given more than once" })) };
  }
  const parsed = schema.safeParse({
    ...Object.fromEntries(given.map(([name, [value]]) => [name, value])),
    ...path,
  });
  if (parsed.success) return { data: parsed.data };
  return {
    problems: parsed.error.issues.flatMap((issue) =>
      issue.code === "unrecognized_keys"
        ? issue.keys.map((parameter) => ({ parameter, message: "is not a parameter of this search" }))
        : [{ parameter: String(issue.path[0] ?? ""), message: issue.message }],
    ),
  };
}

/**
 * Responds with a JSON text in one piece. Ponder has already created a response with CORS headers, into which Hono
 * would stream this one, at a higher cost than the rest of the request.
 */
export function jsonText(context: Context, text: string): Response {
  const response = context.body(text, 200, { "content-type": "application/json" }); // takes over the headers
  context.res = undefined;
  context.res = response;
  return response;
}
