import type { Context } from "hono";
import type { z } from "zod";
import type { ParameterProblem } from "./problem.ts";

/**
 * Reads the query string by a schema. A parameter that the schema does not know, that occurs twice or that has a
 * wrong value is a problem of its own.
 */
export function readParameters<Schema extends z.ZodType>(
  context: Context,
  schema: Schema,
): { data: z.output<Schema> } | { problems: ParameterProblem[] } {
  const given = Object.entries(context.req.queries());
  const repeated = given.filter(([, values]) => values.length > 1);
  if (repeated.length > 0) {
    return { problems: repeated.map(([parameter]) => ({ parameter, message: "is given more than once" })) };
  }
  const parsed = schema.safeParse(Object.fromEntries(given.map(([name, [value]]) => [name, value])));
  if (parsed.success) return { data: parsed.data };
  return {
    problems: parsed.error.issues.flatMap((issue) =>
      issue.code === "unrecognized_keys"
        ? issue.keys.map((parameter) => ({ parameter, message: "is not a parameter of this search" }))
        : [{ parameter: String(issue.path[0] ?? ""), message: issue.message }],
    ),
  };
}
