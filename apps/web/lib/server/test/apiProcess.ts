import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";

/**
 * Routes of the API by path. This program serves them in its own process behind Node's HTTP server, configured by the
 * environment. It sends a message when it listens, and answers messages with its heap size in bytes after a collection
 * (with `--expose-gc`).
 */
type Routes = Record<string, (request: Request) => Promise<Response>>;

const folders = [
  "api/verify",
  "api/verify-and-attest",
  "api/search",
  "api/nonce",
  "api/health",
  "api/deployment",
  "api/openapi.json",
  "api/import",
  "api/check-data-url",
  "api/apps/[...versionedDid]",
  "api/data-url/[...versionedDid]",
  "api/live/[...versionedDid]",
  "api/picture/[...versionedDid]",
  "api/accounts/[address]",
  "api/export/[table]",
  "api/suggest",
  "v0.1/servers",
  "v0.1/servers/[...path]",
  "v0.1/[[...path]]",
  "api/[[...path]]",
];

const routes = await Promise.all(
  folders.map(async (folder) => {
    const handlers = (await import(`../../../app/${folder}/route.ts`)) as Routes;
    const [prefix = ""] = folder.split(/\[/, 1);
    return { path: `/${prefix}`, isPrefix: folder.includes("["), handlers };
  }),
);

function listHandlers(pathname: string): Routes | undefined {
  return routes.find(({ path, isPrefix }) => (isPrefix ? pathname.startsWith(path) : pathname === path))
    ?.handlers;
}

async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const { method = "GET" } = incoming;
  const url = new URL(`http://${incoming.headers.host}${incoming.url}`);
  const hasBody = method !== "GET" && method !== "HEAD";
  const request = new Request(url, {
    method,
    headers: incoming.headers as Record<string, string>,
    ...(hasBody ? { body: Readable.toWeb(incoming), duplex: "half" } : {}),
  } as RequestInit);
  const handler = listHandlers(url.pathname)?.[method];
  if (!handler) throw new Error(`no handler for ${method} ${url.pathname}`);
  const response = await handler(request);
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
