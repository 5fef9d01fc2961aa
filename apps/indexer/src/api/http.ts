import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { z } from "zod";

/** One parameter that is wrong. */
export type ParameterProblem = { parameter: string; message: string };

/** Answers with an RFC 9457 problem; `code` is stable, `problems` names each wrong parameter, `detail` says them in one line. */
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
 * Reads the query string and the parts of the path that have a name by a schema. A parameter that the schema does not know, that occurs twice or that has a
 * wrong value is a problem of its own.
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
 * Answers with a JSON text as it is, in one piece. Ponder has begun a response by then, with the headers for other
 * origins; Hono would hand its own over to that one by a stream, which costs more than all else of an answer.
 */
export function jsonText(context: Context, text: string): Response {
  const response = context.body(text, 200, { "content-type": "application/json" }); // takes over the headers
  context.res = undefined;
  context.res = response;
  return response;
}
