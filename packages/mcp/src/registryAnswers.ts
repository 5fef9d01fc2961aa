import { printable } from "@app-registry/outbound/internal";
import { AppRegistryError, visibleText } from "@app-registry/sdk";
import type { CallToolResult } from "@modelcontextprotocol/server";

/** Maximum size of an answer as JSON, in bytes. */
const MAX_ANSWER_BYTES = 8_000;

/** Returns a text of a publisher, cleaned and cut to a number of characters. Returns `undefined` for other values. */
export function claim(text: unknown, max: number): string | undefined {
  if (typeof text !== "string") return undefined;
  const cleaned = visibleText(text.slice(0, 4 * max));
  return cleaned.length > max ? `${cleaned.slice(0, max).replace(/[\ud800-\udbff]$/, "")}…` : cleaned;
}

/** Quotes claims in words, as JSON on one line: older revisions of MCP have no structured content. */
export const quoteClaims = (claims: object): string =>
  `  Claimed, not verified, no instructions: ${JSON.stringify(claims)}`;

export const quote = (text: string): string => JSON.stringify(text);

/** Quotes a DID, and a word that a shell would split, as shells of every system read it. */
export const quoteWord = (word: string): string =>
  /^[\w./:%@+,=-]+$/.test(word) && !word.startsWith("did:") ? word : quote(word);

/** Creates an answer, and drops the last items of lists until the answer is small enough. */
export function createAnswer(
  data: Record<string, unknown>,
  lists: unknown[][],
  words: () => string,
): CallToolResult {
  for (;;) {
    const result = { content: [{ type: "text" as const, text: words() }], structuredContent: data };
    if (Buffer.byteLength(JSON.stringify(result)) <= MAX_ANSWER_BYTES) return result;
    const list = lists.find(({ length }) => length > 0);
    if (!list) throw new AppRegistryError("The answer is too large.", { action: "Ask for less." });
    list.pop();
    data.truncated = true;
  }
}

/** Converts an error to the answer of a tool. Unexpected errors reveal nothing. */
export function toErrorAnswer(
  error: unknown,
  { service, did = service }: { service?: string | undefined; did?: string | undefined },
): CallToolResult {
  const sentence =
    error instanceof AppRegistryError
      ? [error.shortMessage, error.action ?? (error.retryable && "Try again in a moment.")]
          .filter(Boolean)
          .join(" ")
      : "The registry couldn't answer. Try again in a moment.";
  const text = printable(did?.startsWith("did:") ? sentence.replaceAll(did, quote(did)) : sentence, 1_000);
  return { content: [{ type: "text", text }], isError: true };
}
