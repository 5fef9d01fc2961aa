import { JsonDocumentError, type JsonValue, parseJsonStrict } from "@app-registry/sdk";
import { describeIssue } from "@app-registry/sdk/internal";
import { withTimeout } from "@app-registry/server/deadline";
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
