import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { parseAccept } from "hono/utils/accept";

type Answer = (request: Request) => Promise<Response>;

/** Global key of the API, because Next bundles the server's startup code separately from its routes. */
const apiKey = Symbol.for("app-registry.api");
const shared = globalThis as { [apiKey]?: Answer };

/** Registers the API that `installDirectRoutes` calls. */
export function setDirectApi(answer: Answer): void {
  shared[apiKey] = answer;
}

/** Paths of frequent reads. Next redirects other spellings of them, such as with a slash at the end. */
const DIRECT_TARGET = /^\/api\/(?:search|data-url(?:\/[\w:%.~-]+)+)(?:\?|$)/;

/** Returns true if Next would answer the path as it is. A path with `.` or `..` leads to another one. */
const isDirect = (target: string): boolean =>
  DIRECT_TARGET.test(target) && new URL(target, "http://localhost").pathname === target.split("?", 1)[0];

/** Returns true if the client prefers gzip to an uncompressed body. */
function prefersGzip(accepted: string): boolean {
  const preferred = parseAccept(accepted).find(({ type }) => /^(?:gzip|identity|\*)$/i.test(type));
  return preferred !== undefined && preferred.q > 0 && preferred.type.toLowerCase() !== "identity";
}

/** Time after which a connection without any transfer ends, in milliseconds: its client doesn't read. */
const SOCKET_TIMEOUT = 300_000;
/** Smallest body to compress, in bytes. */
const MIN_COMPRESSED = 1_024;

/**
 * Answers frequent reads without Next, which takes longer for a request than such a route. The responses are those of
 * Next. `docs/decisions/0007-incoming-requests.md` explains the choice.
 *
 * @param except Server whose requests stay as they are
 */
export function installDirectRoutes(except: Server | undefined): void {
  const known = new WeakSet<Server>(except ? [except] : []);
  subscribe("http.server.request.start", (message) => {
    const { server } = message as { server: Server };
    if (known.has(server)) return;
    known.add(server);
    server.setTimeout(SOCKET_TIMEOUT);
    const listeners = server.listeners("request");
    server.removeAllListeners("request");
    server.on("request", (request: IncomingMessage, response: ServerResponse) => {
      const api = shared[apiKey];
      if (api && request.method === "GET" && isDirect(request.url ?? ""))
        void answerDirectly(api, request, response).catch((error) => response.destroy(error));
      else for (const listener of listeners) listener.call(server, request, response);
    });
  });
}

async function answerDirectly(
  api: Answer,
  { url, headers }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const answer = await api(new Request(`http://localhost${url}`, { headers: headers as HeadersInit }));
  let body: Buffer = Buffer.from(await answer.arrayBuffer());
  answer.headers.append("vary", "Accept-Encoding");
  if (body.length >= MIN_COMPRESSED && prefersGzip(String(headers["accept-encoding"] ?? ""))) {
    body = await promisify(gzip)(body);
    answer.headers.set("content-encoding", "gzip");
    // A strong tag names one sequence of bytes (RFC 9110, 8.8.3.3).
    const etag = answer.headers.get("etag");
    if (etag?.startsWith('"')) answer.headers.set("etag", `W/${etag}`);
  }
  if (answer.status !== 304) answer.headers.set("content-length", String(body.length));
  response.setHeaders(answer.headers).writeHead(answer.status).end(body);
}
