import { JsonDocumentError, type JsonValue, parseJsonStrict } from "@app-registry/sdk";
import type { z } from "zod";
import { ApiProblem } from "./problem.ts";

/** Largest request body, in bytes. */
export const MAX_BODY_BYTES = 16 * 1024;

/**
 * Reads a JSON body. A content type that a form could send is refused, so that no page of another site can post.
 * @throws ApiProblem 415, 413, 400 `not-json` with the place; ZodError for a body of another shape.
 */
export async function readJsonBody<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
): Promise<z.output<Schema>> {
  const contentType = request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (contentType !== "application/json") {
    throw new ApiProblem(415, "unsupported-media-type", "The body must be application/json");
  }
  const encoding = request.headers.get("content-encoding")?.trim().toLowerCase() || "identity";
  if (encoding !== "identity") {
    throw new ApiProblem(415, "unsupported-media-type", "The body must not be compressed");
  }
  return schema.parse(parseBody(await readText(request)));
}

function parseBody(text: string): JsonValue {
  try {
    return parseJsonStrict(text);
  } catch (error) {
    if (!(error instanceof JsonDocumentError)) throw error;
    const { reason, line, column, pointer, shortMessage: detail } = error;
    throw new ApiProblem(400, "not-json", "The body is not JSON that says one thing only", {
      detail,
      problems: [{ pointer, message: `${reason} Line ${line}, column ${column}.` }],
    });
  }
}

async function readText(request: Request): Promise<string> {
  const announced = Number(request.headers.get("content-length") ?? 0);
  if (announced > MAX_BODY_BYTES) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
    size += read.value.byteLength;
    if (size > MAX_BODY_BYTES) {
      await reader?.cancel();
      throw tooLarge();
    }
    chunks.push(read.value);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new ApiProblem(400, "not-json", "The body is not UTF-8 text");
  }
}

function tooLarge(): ApiProblem {
  return new ApiProblem(413, "body-too-large", `The body is larger than ${MAX_BODY_BYTES} bytes`);
}
