import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";

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
