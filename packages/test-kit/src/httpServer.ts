import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** Serves HTTP on loopback until the test ends, and returns the server's origin. */
export async function serveHttp(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Origin on which no server listens. */
export const deadOrigin = "http://127.0.0.1:9";

/** Serves files by path on loopback until the test ends. Returns 404 for other paths. */
export async function serveFiles(type = "application/json") {
  const files = new Map<string, string>();
  const origin = await serveHttp((request, response) => {
    const body = files.get(request.url ?? "");
    response.writeHead(body === undefined ? 404 : 200, { "content-type": type }).end(body);
  });
  return { origin, files };
}
