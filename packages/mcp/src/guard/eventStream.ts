import { setTimeout as sleep } from "node:timers/promises";
import { mediaTypeIn } from "@app-registry/outbound/internal";

/** Shortest, usual and longest pause before a stream is resumed, in milliseconds. */
const MIN_PAUSE = 500;
const USUAL_PAUSE = 1_000;
const MAX_PAUSE = 3_600_000;

/** Maximum number of attempts in a row to resume a stream that bring no new event. */
const MAX_ATTEMPTS = 5;

/** Maximum length of a line that is read, in characters. Longer lines are data. */
const MAX_LINE = 1_024;

/** Statuses after which a stream may still be resumed. */
const passing = new Set([408, 409, 429, 500, 502, 503, 504]);

type Body = NonNullable<Response["body"]>;

export const isEventStream = (headers: Headers): boolean => mediaTypeIn(headers) === "text/event-stream";

/**
 * Yields an event stream, and continues it with the streams that `resume` returns for the id of the last event (MCP
 * 2025-11-25, resumability). Ends if the stream has no ids, can't be resumed, or brings nothing new. Never throws.
 *
 * @param signal Ends the stream.
 * @param resume Requests the stream after an event.
 */
export async function* continueStream(
  body: Body,
  signal: AbortSignal,
  resume: (lastId: string) => Promise<Response>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let current: Body | null = body;
  const position = createPosition();
  for (let attempts = 0; ; attempts += 1) {
    const { lastId } = position;
    if (current) yield* readAll(current, position.read);
    if (position.lastId !== lastId) attempts = 0;
    if (position.lastId === undefined || attempts === MAX_ATTEMPTS) return;
    const pause = position.retry ?? USUAL_PAUSE * 2 ** attempts;
    const isWaiting = await sleep(Math.min(Math.max(pause, MIN_PAUSE), MAX_PAUSE), true, {
      signal,
      ref: false,
    }).catch(() => false);
    if (!isWaiting) return;
    const response = await resume(position.lastId).catch(() => undefined);
    current = response?.ok && isEventStream(response.headers) ? response.body : null;
    if (response && !current) await response.body?.cancel().catch(() => undefined);
    if (signal.aborted || (response && !current && !passing.has(response.status))) return;
    position.restart();
  }
}

/** Yields the chunks of a body, up to its end or its failure. */
async function* readAll(
  body: Body,
  onChunk: (chunk: Uint8Array) => void,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
    if (done || value === undefined) return;
    onChunk(value);
    yield value;
  }
}

/** Reads the ids and the pause of an event stream (HTML standard, server-sent events). */
function createPosition() {
  let decoder = new TextDecoder();
  let line = "";
  let endsWithCr = false;
  let eventId: string | undefined;
  const position = {
    /** Id of the last complete event, if it can be sent in a header. */
    lastId: undefined as string | undefined,
    /** Pause before the stream is resumed, in milliseconds, if the server has set one. */
    retry: undefined as number | undefined,
    read(chunk: Uint8Array): void {
      let text = decoder.decode(chunk, { stream: true });
      if (endsWithCr && text.startsWith("\n")) text = text.slice(1);
      if (text === "") return;
      endsWithCr = text.endsWith("\r");
      const [first = "", ...rest] = text.split(/\r\n|\r|\n/);
      line = (line + first.slice(0, MAX_LINE + 1)).slice(0, MAX_LINE + 1);
      for (const next of rest) {
        endLine();
        line = next.slice(0, MAX_LINE + 1);
      }
    },
    /** Prepares for the next stream. The rest of the last one is void. */
    restart(): void {
      decoder = new TextDecoder();
      [line, endsWithCr, eventId] = ["", false, undefined];
    },
  };

  function endLine(): void {
    if (line === "") {
      position.lastId = eventId ?? position.lastId;
      eventId = undefined;
      return;
    }
    const [, field, value = ""] = /^(id|retry)(?:: ?(.*))?$/.exec(line) ?? [];
    if (field === "id" && line.length <= MAX_LINE && /^[\x20-\x7e]+$/.test(value)) eventId = value;
    if (field === "retry" && /^\d{1,10}$/.test(value)) position.retry = Number(value);
  }

  return position;
}

/** Returns a stream of chunks. Canceling it calls `onCancel`. */
export function toStream(chunks: AsyncGenerator<Uint8Array<ArrayBuffer>>, onCancel: () => void): Body {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: () => onCancel(),
  });
}
