import { type core, type output, parse } from "zod/mini";
import { checkArguments } from "../arguments.ts";
import { withTimeLimit } from "../client/timeLimit.ts";
import { AppRegistryError } from "../errors/appRegistryError.ts";
import { ServiceError, ServiceUnavailableError } from "../errors/serviceErrors.ts";

/** Where a registry's web service is, and how long to wait for it. */
export type ServiceOptions = {
  /** Origin of a registry web service, such as `http://localhost:3000`. */
  baseUrl: string;
  /** Default 10,000 ms. */
  timeoutMs?: number | undefined;
};

/**
 * Asks a registry web service for JSON of a known shape.
 *
 * @throws {ServiceError} when it refuses, {@link ServiceUnavailableError} when it doesn't answer like a registry,
 * {@link TimeLimitError}.
 */
export async function requestJson<Schema extends core.$ZodType>(
  options: ServiceOptions,
  path: string,
  schema: Schema,
  body?: unknown,
): Promise<output<Schema>> {
  checkArguments("baseUrl timeoutMs?", options);
  const { baseUrl, timeoutMs = 10_000 } = options;
  return withTimeLimit(baseUrl, timeoutMs, async (signal) => {
    try {
      const url = new URL(path, baseUrl).href;
      const response = await fetch(url, { signal, ...requestInit(body) });
      const answer = await readAnswer(url, response);
      if (!response.ok) throw new ServiceError(url, response.status, problemOf(answer));
      return parse(schema, answer);
    } catch (error) {
      throw error instanceof AppRegistryError ? error : new ServiceUnavailableError(baseUrl, error);
    }
  });
}

/**
 * The JSON of an answer or a refusal.
 *
 * @throws {ServiceError} for a refusal that is not JSON, such as the 404 page of another web server.
 */
export async function readAnswer(url: string, response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch (error) {
    throw response.ok ? error : new ServiceError(url, response.status);
  }
}

function requestInit(body: unknown): RequestInit {
  const headers = { accept: "application/json" };
  if (body === undefined) return { headers };
  return {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(body),
  };
}

/** The parts of an RFC 9457 problem that matter to a caller. */
function problemOf(body: unknown): { code?: string; detail?: string } {
  if (typeof body !== "object" || body === null) return {};
  const { code, detail } = body as Record<string, unknown>;
  return { ...(typeof code === "string" && { code }), ...(typeof detail === "string" && { detail }) };
}
