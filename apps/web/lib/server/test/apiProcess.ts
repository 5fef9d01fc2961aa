import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { answerRequest } from "../api.ts";

/**
 * Serves the API in its own process behind Node's HTTP server, configured by the environment. Sends a message when it
 * listens, and answers messages with its heap size in bytes after a collection (with `--expose-gc`).
 */
async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const { method = "GET" } = incoming;
  const url = new URL(`http://${incoming.headers.host}${incoming.url}`);
  const hasBody = method !== "GET" && method !== "HEAD";
  const request = new Request(url, {
    method,
    headers: incoming.headers as Record<string, string>,
    ...(hasBody ? { body: Readable.toWeb(incoming), duplex: "half" } : {}),
  } as RequestInit);
  const response = await answerRequest(request);
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body) await pipeline(Readable.fromWeb(response.body as ReadableStream), outgoing);
  else outgoing.end();
}

const server = createServer((incoming, outgoing) => {
  answer(incoming, outgoing).catch((error: unknown) => {
    process.send?.({ crashed: String(error) });
    outgoing.destroy();
  });
});
server.listen(Number(process.env.PORT), "127.0.0.1", () => process.send?.("listening"));
process.on("message", () => {
  globalThis.gc?.();
  process.send?.({ heapUsed: process.memoryUsage().heapUsed });
});
