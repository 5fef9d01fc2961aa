import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

/** Web server on the loopback interface that serves documents by path and logs its requests. */
export type DocumentHost = {
  origin: string;
  /** Serves a JSON document at a path. Returns its URL. */
  put(path: string, document: unknown): string;
  /** Handles requests for a path with a listener. Returns its URL. */
  on(path: string, listener: RequestListener): string;
  /** Requests, each with the time of the given clock and the number of other pending requests. */
  requests: { path: string; at: number; underWay: number; userAgent: string | undefined }[];
  /** Stops the server, so that connections are refused. */
  down(): Promise<void>;
  /** Starts the server again on the same port. */
  up(): Promise<void>;
};

/** Starts a host on a free port. */
export async function startDocumentHost(now: () => number = () => Date.now() / 1_000): Promise<DocumentHost> {
  const listeners = new Map<string, RequestListener>();
  const requests: DocumentHost["requests"] = [];
  let underWay = 0;
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    requests.push({ path, at: now(), underWay, userAgent: request.headers["user-agent"] });
    underWay++;
    response.on("close", () => underWay--);
    const listener = listeners.get(path);
    if (listener) listener(request, response);
    else response.writeHead(404).end();
  });
  const listen = (port: number) =>
    new Promise<void>((resolve) => server.listen(port, "127.0.0.1", () => resolve()));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const on: DocumentHost["on"] = (path, listener) => {
    listeners.set(path, listener);
    return origin + path;
  };
  return {
    origin,
    on,
    put: (path, document) =>
      on(path, (_, response) => {
        response.writeHead(200, { "content-type": "application/json" });
        response.end(typeof document === "string" ? document : JSON.stringify(document, null, 2));
      }),
    requests,
    async down() {
      if (!server.listening) return;
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
    up: () => listen(port),
  };
}
