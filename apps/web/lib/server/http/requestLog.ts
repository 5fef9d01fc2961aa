import { describeUnexpectedError, getErrorName } from "@app-registry/server/startup";
import type { ApiProblem } from "./problem.ts";

/** Fields that a route adds to a request's log line. */
export type LogFields = Record<string, unknown>;

type Outcome = { requestId: string; status: number; startedAt: number; fields: LogFields };

/** Maximum length of a logged path. */
const MAX_PATH = 512;

/** Logs one line of JSON for an answered request. */
export function logRequest(request: Request, event: string, outcome: Outcome): void {
  console.info(JSON.stringify(formatLogLine("info", request, event, outcome)));
}

/** Logs one line of JSON for a request that failed because of this server or its dependencies. */
export function logFailure(
  request: Request,
  { code }: ApiProblem,
  error: unknown,
  event: string,
  outcome: Outcome,
): void {
  const unforeseen = code === "internal-error";
  const line = formatLogLine(unforeseen ? "error" : "warn", request, event, outcome);
  const about = unforeseen ? describeUnexpectedError(error) : { error: getErrorName(error) };
  console.error(JSON.stringify({ ...line, code, ...about }));
}

function formatLogLine(level: string, request: Request, event: string, outcome: Outcome): LogFields {
  const { requestId, status, startedAt, fields } = outcome;
  return {
    level,
    event,
    requestId,
    method: request.method,
    path: new URL(request.url).pathname.slice(0, MAX_PATH),
    status,
    durationMs: Math.round(performance.now() - startedAt),
    ...fields,
  };
}
