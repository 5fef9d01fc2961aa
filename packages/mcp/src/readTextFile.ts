import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import { UsageError } from "./exitCodes.ts";

/**
 * Reads UTF-8 text from a file or a stream. Reads no more than `maxBytes`, so that no device or endless stream fills the
 * memory. Keeps a byte order mark, so that a parser can reject it.
 *
 * @param name Name in the error, such as `The file x.json`.
 * @throws {UsageError} if it can't be read, is larger or is not UTF-8 text.
 */
export async function readTextFile(
  name: string,
  source: string | Readable,
  maxBytes: number,
): Promise<string> {
  const refuse = (reason: string) => new UsageError(`${name} ${reason}.`, "Check the path.");
  const stream = typeof source === "string" ? createReadStream(source) : source;
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of stream) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxBytes) break;
    }
  } catch {
    throw refuse("can't be read");
  }
  if (size > maxBytes) throw refuse(`is larger than ${maxBytes} bytes`);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks));
  } catch {
    throw refuse("is not UTF-8 text");
  }
}
