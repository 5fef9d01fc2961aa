import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

/** Web server on the loopback interface that serves documents by path and logs its requests. */
export type DocumentHost = Awaited<ReturnType<typeof startDocumentHost>>;

/** Starts a host on a free port. */
export async function startDocumentHost(now: () => number = () => Date.now() / 1_000) {
  const listeners = new Map<string, RequestListener>();
  /** Requests, each with the time of the given clock and the number of other pending requests. */
  const requests: { path: string; at: number; underWay: number; userAgent: string | undefined }[] = [];
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
  /** Handles requests for a path with a listener. Returns its URL. */
  const on = (path: string, listener: RequestListener) => {
    listeners.set(path, listener);
    return origin + path;
  };
  return {
    origin,
    on,
    /** Serves a JSON document at a path. Returns its URL. */
    put: (path: string, document: unknown) =>
      on(path, (_, response) => {
        response.writeHead(200, { "content-type": "application/json" });
        response.end(typeof document === "string" ? document : JSON.stringify(document, null, 2));
      }),
    requests,
    /** Stops the server, so that connections are refused. */
    async down() {
      if (!server.listening) return;
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
    /** Starts the server again on the same port. */
    up: () => listen(port),
  };
}
