import { type core, type output, parse } from "zod/mini";
import { checkArguments } from "./arguments.ts";
import { AppRegistryError } from "./errors/appRegistryError.ts";
import { ServiceError, ServiceUnavailableError, withTimeLimit } from "./errors/networkErrors.ts";

/** Largest response after decompression, in bytes. */
const MAX_BYTES = 2 ** 24;

/** Origin and time limit of a registry web service. */
export type ServiceOptions = {
  /** Origin of a registry web service, such as `http://localhost:3000`. */
  baseUrl: string;
  /** Time limit in milliseconds. Default 10,000. */
  timeoutMs?: number | undefined;
};

/**
 * Requests JSON from a registry web service and validates it.
 *
 * @throws {ServiceError} when the service refuses.
 * @throws {ServiceUnavailableError} when the service does not respond like a registry.
 * @throws {TimeLimitError} when the service does not respond in time.
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
 * Reads the JSON of a response, also of a refusal.
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

/** Creates a stream that fails after 16 MiB. A small compressed response can decompress to more. */
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

/** Reads the code and detail of an RFC 9457 problem, each cut to 1,000 characters. */
function parseProblem(body: unknown) {
  const { code, detail } = (body ?? {}) as Record<string, unknown>;
  const cut = (text: unknown) => (typeof text === "string" ? text.slice(0, 1_000) : undefined);
  return { code: cut(code), detail: cut(detail) };
}
