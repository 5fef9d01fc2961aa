import { type core, type output, parse } from "zod/mini";
import { checkArguments } from "../arguments.ts";
import { withTimeLimit } from "../client/timeLimit.ts";
import { AppRegistryError } from "../errors/appRegistryError.ts";
import { ServiceError, ServiceUnavailableError } from "../errors/serviceErrors.ts";

/** Most bytes of an answer, decompressed. */
const MAX_BYTES = 2 ** 24;

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
      if (!response.ok) throw new ServiceError(url, response.status, parseProblem(answer));
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
    return await new Response(response.body?.pipeThrough(limitBytes())).json();
  } catch (error) {
    throw response.ok ? error : new ServiceError(url, response.status);
  }
}

/** Ends a stream of more than 16 MiB, which a small compressed answer can become. */
function limitBytes(): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.length;
      if (bytes > MAX_BYTES) throw new Error("Larger than 16 MiB");
      controller.enqueue(chunk);
    },
  });
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

/** The parts of an RFC 9457 problem that matter to a caller, each of at most 1,000 characters. */
function parseProblem(body: unknown) {
  const { code, detail } = (body ?? {}) as Record<string, unknown>;
  const cut = (text: unknown) => (typeof text === "string" ? text.slice(0, 1_000) : undefined);
  return { code: cut(code), detail: cut(detail) };
}
