import type { RequestListener } from "node:http";
import { serveHttp } from "@app-registry/test-kit/httpServer";

const types: Record<string, string> = {
  html: "text/html",
  yaml: "application/yaml",
  png: "image/png",
  js: "application/javascript",
};

/** Serves texts by path on localhost, a name that can have a DID. Supports only GET. */
export async function serveSite(files: Record<string, string | object>, other?: RequestListener) {
  const asked: string[] = [];
  const origin = await serveHttp((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const file = request.method === "GET" ? files[request.url ?? ""] : undefined;
    if (file === undefined) {
      if (other) return other(request, response);
      return void response.writeHead(404).end();
    }
    const type = types[/\.(\w+)$/.exec(request.url ?? "")?.[1] ?? ""];
    const isPage = typeof file === "string" && file.startsWith("<");
    const contentType = type ?? (isPage ? "text/html" : "application/json");
    response.writeHead(200, { "content-type": contentType });
    response.end(typeof file === "string" ? file : JSON.stringify(file));
  });
  return { origin: origin.replace("127.0.0.1", "localhost"), asked };
}
