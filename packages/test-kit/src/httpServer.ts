import { createServer, type RequestListener } from "node:http";
import { onTestFinished } from "vitest";
import { listen } from "./listen.ts";

/** Serves HTTP on loopback until the test ends, and returns the server's origin. */
export async function serveHttp(answer: RequestListener): Promise<string> {
  const { origin, close } = await listen(createServer(answer));
  onTestFinished(close);
  return origin;
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
