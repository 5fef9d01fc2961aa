import { isJsonObject, type JsonObject } from "@app-registry/sdk";
import { parseJson } from "../discover/read/json.ts";
import { mediaTypeIn } from "../fetch/mediaType.ts";

/** Maximum length of a reply to a handshake, in characters. */
const MAX_REPLY = 262_144;

/**
 * Reads the JSON-RPC reply with the given ID, or an error without an ID, from a JSON body or an event stream. Returns
 * an empty object if there is no reply. Stops reading a stream after the reply.
 */
export async function readReply(
  { headers, body }: Response,
  id: string,
): Promise<{ result?: unknown; error?: unknown }> {
  const type = mediaTypeIn(headers);
  if (!body) return {};
  if (type === "text/event-stream") {
    let data = "";
    for await (const line of linesOf(body)) {
      if (line === "") {
        const reply = replyIn(data, id);
        if (reply) return reply;
        data = "";
      } else if (line.startsWith("data:")) data += `${line.slice("data:".length)}\n`;
    }
    return {};
  }
  // Read bodies of other types to the end, so that the connection can be reused.
  const lines: string[] = [];
  for await (const line of linesOf(body)) lines.push(line);
  return (/json$/.test(type) && replyIn(lines.join("\n"), id)) || {};
}

function replyIn(text: string, id: string): { result?: unknown; error?: unknown } | undefined {
  const message = parseJson(text);
  if (!isJsonObject(message)) return undefined;
  const { id: answered, result, error } = message as JsonObject;
  if (error !== undefined) return answered === id || answered == null ? { error } : undefined;
  return answered === id ? { result } : undefined;
}

/**
 * Yields the lines of a text up to the maximum length. Searches each chunk once, so the cost is independent of its
 * size.
 */
async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let parts: string[] = [];
  let left = MAX_REPLY;
  let endsWithCr = false;
  for await (const chunk of body) {
    let text = decoder.decode(chunk, { stream: true });
    left -= chunk.byteLength;
    if (left < 0) return;
    if (endsWithCr && text.startsWith("\n")) text = text.slice(1);
    if (text === "") continue;
    endsWithCr = text.endsWith("\r");
    const [first = "", ...rest] = text.split(/\r\n|\r|\n/);
    parts.push(first);
    for (const line of rest) {
      yield parts.join("");
      parts = [line];
    }
  }
  yield parts.join("");
}
