import { type core, type output, parse } from "zod/mini";
import { checkArguments } from "../arguments.ts";
import { withTimeLimit } from "../client/timeLimit.ts";
import { AppRegistryError } from "../errors/appRegistryError.ts";
import { ServiceError, ServiceUnavailableError } from "../errors/serviceErrors.ts";

/** Most bytes of an answer, decompressed. */
const MAX_BYTES = 16 * 1024 * 1024;

/** Most characters of a problem's code and detail. */
const MAX_DETAIL = 1_000;

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
    return JSON.parse(await readText(response));
  } catch (error) {
    throw response.ok ? error : new ServiceError(url, response.status);
  }
}

/** @throws {Error} for more than 16 MiB, which a small compressed answer can become */
async function readText({ body }: Response): Promise<string> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let left = MAX_BYTES;
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done || !value) return text + decoder.decode();
    left -= value.byteLength;
    if (left < 0) {
      await reader?.cancel();
      throw new Error("The answer is too large.");
    }
    text += decoder.decode(value, { stream: true });
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
  return {
    ...(typeof code === "string" && { code: cut(code) }),
    ...(typeof detail === "string" && { detail: cut(detail) }),
  };
}

const cut = (text: string): string => (text.length > MAX_DETAIL ? `${text.slice(0, MAX_DETAIL)}…` : text);
