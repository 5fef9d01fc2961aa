import { createHash } from "node:crypto";
import { JsonDocumentError, type JsonValue, parseJsonStrict } from "@app-registry/sdk";
import { describeIssue } from "@app-registry/sdk/internal";
import { withTimeout } from "@app-registry/server/async";
import type { z } from "zod";
import { ApiProblem } from "./problem.ts";

/** Maximum size of a request body, in bytes. */
export const MAX_BODY_BYTES = 16 * 1024;

/** Time limit for receiving a whole request body, in milliseconds. */
const BODY_TIMEOUT = 10_000;

/**
 * Reads a JSON body. Rejects content types that a form can send, so that pages of other sites cannot post.
 * @param timeout Time limit for the whole body, in milliseconds.
 * @throws ApiProblem 415, 413, 408 `body-too-slow`, 400 `body-incomplete` if the client disconnects, 400 `not-json`
 *   with the location; ZodError for a body of another shape.
 */
export async function readJsonBody<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
  timeout = BODY_TIMEOUT,
): Promise<z.output<Schema>> {
  const contentType = request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (contentType !== "application/json") {
    throw new ApiProblem(415, "unsupported-media-type", "The body must be application/json");
  }
  const encoding = request.headers.get("content-encoding")?.trim().toLowerCase() || "identity";
  if (encoding !== "identity") {
    throw new ApiProblem(415, "unsupported-media-type", "The body must not be compressed");
  }
  return schema.parse(parseBody(decode(await readBody(request, timeout))), { error: describeIssue });
}

function parseBody(text: string): JsonValue {
  try {
    return parseJsonStrict(text);
  } catch (error) {
    if (!(error instanceof JsonDocumentError)) throw error;
    const { reason, line, column, pointer, shortMessage: detail } = error;
    throw new ApiProblem(400, "not-json", "The body is not valid, unambiguous JSON", {
      detail,
      problems: [{ pointer, message: `${reason} Line ${line}, column ${column}.` }],
    });
  }
}

function decode(bytes: Uint8Array<ArrayBuffer>): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new ApiProblem(400, "not-json", "The body is not UTF-8 text");
  }
}

/**
 * Reads a whole body of any type.
 * @param timeout Time limit in milliseconds.
 * @throws ApiProblem 413, 408 `body-too-slow`, or 400 `body-incomplete` if the client disconnects
 */
export async function readBody(request: Request, timeout = BODY_TIMEOUT): Promise<Uint8Array<ArrayBuffer>> {
  const announced = Number(request.headers.get("content-length") ?? 0);
  if (announced > MAX_BODY_BYTES) throw tooLarge();
  return request.body ? readInTime(request.body, timeout) : new Uint8Array();
}

async function readInTime(body: ReadableStream<Uint8Array>, timeout: number) {
  const reader = body.getReader();
  try {
    return await withTimeout(readBytes(reader), timeout, () => {
      const detail = `Send the whole body within ${timeout / 1_000} seconds.`;
      throw new ApiProblem(408, "body-too-slow", "Request body timed out", { detail, retryable: true });
    });
  } catch (error) {
    // Discard the rest of the body. Cancelling fails if the client is gone, which is harmless.
    reader.cancel().catch(() => undefined);
    throw error;
  }
}

async function readBytes(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let read = await readNext(reader); !read.done; read = await readNext(reader)) {
    size += read.value.byteLength;
    if (size > MAX_BODY_BYTES) throw tooLarge();
    chunks.push(read.value);
  }
  return Buffer.concat(chunks);
}

/**
 * Reads the next chunk. A failure means that the client disconnected or broke the framing, not that the server failed.
 */
function readNext(reader: ReadableStreamDefaultReader<Uint8Array>) {
  return reader.read().catch(() => {
    throw new ApiProblem(400, "body-incomplete", "The body ended early");
  });
}

function tooLarge(): ApiProblem {
  return new ApiProblem(413, "body-too-large", `The body is larger than ${MAX_BODY_BYTES} bytes`);
}

/**
 * Returns the part of the raw request path after a route's prefix. A framework's decoded parameters would turn
 * `did:web:localhost%3A3000` into another DID.
 */
export function rawPathAfter(request: Request, prefix: string): string {
  const { pathname } = new URL(request.url);
  return pathname.startsWith(prefix) ? pathname.slice(prefix.length).replace(/\/$/, "") : "";
}

/** Returns the weight of a media type in an `Accept` header (RFC 9110, 12.5.1), or 0 if it is not accepted. */
function getWeight(accept: string, type: string): number {
  const [kind] = type.split("/");
  let best = { precision: 0, weight: 0 };
  for (const range of accept.toLowerCase().split(",")) {
    const [name = "", ...parameters] = range.split(";").map((part) => part.trim());
    const precision = [`*/*`, `${kind}/*`, type].indexOf(name) + 1;
    if (precision <= best.precision) continue;
    const quality = parameters.find((parameter) => parameter.startsWith("q="));
    best = { precision, weight: quality === undefined ? 1 : Number(quality.slice(2)) || 0 };
  }
  return best.weight;
}

/** Returns true if a request prefers JSON to HTML. Browsers and clients that accept anything get the page. */
export function wantsJson(accept: string | null): boolean {
  if (accept === null) return false;
  return getWeight(accept, "application/json") > getWeight(accept, "text/html");
}

/**
 * Returns true if the caller has the representation with this ETag: If-None-Match by weak comparison (RFC 9110,
 * 13.1.2).
 */
export function matchesEtag(request: Request, etag: string): boolean {
  const header = request.headers.get("if-none-match");
  if (header === null) return false;
  const plain = (tag: string) => tag.trim().replace(/^W\//, "");
  return header.split(",").some((tag) => tag.trim() === "*" || plain(tag) === plain(etag));
}

/**
 * Responds with a body and an ETag of its bytes, or with 304 if the caller has the body. The ETag is weak because a
 * proxy may compress the body.
 */
export function respondWithEtag(
  request: Request,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string>,
): Response {
  const etag = `W/"${createHash("sha256").update(body).digest("base64url")}"`;
  return matchesEtag(request, etag)
    ? new Response(null, { status: 304, headers: { ...headers, etag } })
    : new Response(body, { headers: { ...headers, etag } });
}

/**
 * Cache-Control of answers that are the same for every client, as long as the registry is at the same block. Clients
 * revalidate them. A shared cache (RFC 9111) keeps them for about a block, and answers with an older one while it asks
 * for the next (RFC 5861).
 */
export const sharedForBlock = "public, max-age=0, s-maxage=2, stale-while-revalidate=30";

/** Headers of such JSON. */
export const sharedJsonHeaders = { "content-type": "application/json", "cache-control": sharedForBlock };
