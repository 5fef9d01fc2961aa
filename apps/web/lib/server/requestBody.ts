import type { z } from "zod";
import { ApiProblem } from "./problem.ts";

/** Largest request body, in bytes. */
export const MAX_BODY_BYTES = 16 * 1024;

/**
 * Reads a JSON body. A content type that a form could send is refused, so that no page of another site can post.
 * @throws ApiProblem 415, 413, 400 `not-json`; ZodError for a body of another shape.
 */
export async function readJsonBody<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
): Promise<z.output<Schema>> {
  const contentType = request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (contentType !== "application/json") {
    throw new ApiProblem(415, "unsupported-media-type", "The body must be application/json");
  }
  const text = await readText(request);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ApiProblem(400, "not-json", "The body is not JSON");
  }
  return schema.parse(value);
}

async function readText(request: Request): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
    size += read.value.byteLength;
    if (size > MAX_BODY_BYTES) {
      await reader?.cancel();
      throw new ApiProblem(413, "body-too-large", `The body is larger than ${MAX_BODY_BYTES} bytes`);
    }
    chunks.push(read.value);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new ApiProblem(400, "not-json", "The body is not UTF-8 text");
  }
}
