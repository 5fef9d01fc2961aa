import { request as ask, createServer } from "node:http";
import { createDidDocument } from "@app-registry/test-kit/didHost";
import { listen } from "@app-registry/test-kit/listen";
import type { Address } from "viem";

/** HTTP server on loopback that serves a did.json for every path: `/.well-known/did.json`, `/<name>/did.json`. */
export interface DidServer {
  /** Returns the did:web of a path on this server. */
  did: (name?: string) => string;
  /** Sets the wallets that its DID documents list from now on. */
  nameWallets: (...wallets: Address[]) => void;
  /** Serves a page (a text that starts with `<`) or a JSON document at a path from now on. */
  serve: (path: string, document: unknown) => void;
  /** Requires payment for a path from now on, with these x402 terms. */
  charge: (path: string, terms: object) => void;
  /** Forwards requests for a path to another server from now on. */
  forward: (path: string, url: string) => void;
  origin: string;
  close: () => Promise<void>;
}

/** Starts a server whose DID documents list these wallets, or no wallet. */
export async function startDidServer(...wallets: Address[]): Promise<DidServer> {
  let named = wallets;
  const documents = new Map<string, unknown>();
  const forwarded = new Map<string, string>();
  const charged = new Map<string, object>();
  const server = createServer((request, response) => {
    const target = forwarded.get(request.url ?? "");
    if (target !== undefined) {
      const { method, headers } = request;
      const onwards = ask(
        target,
        { method, headers: { ...headers, host: new URL(target).host } },
        (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(response);
        },
      );
      onwards.on("error", () => response.destroy());
      request.pipe(onwards);
      return;
    }
    const terms = charged.get(request.url ?? "");
    if (terms !== undefined) {
      const header = Buffer.from(JSON.stringify(terms)).toString("base64");
      response.writeHead(402, { "payment-required": header }).end("{}");
      return;
    }
    const document = documents.get(request.url ?? "");
    if (document !== undefined) {
      const isPage = typeof document === "string" && document.startsWith("<");
      response.setHeader("content-type", isPage ? "text/html; charset=utf-8" : "application/json");
      response.end(isPage ? document : JSON.stringify(document));
      return;
    }
    const path = /^\/(.+)\/did\.json$/.exec(request.url ?? "")?.[1];
    if (path === undefined) {
      response.writeHead(404).end();
      return;
    }
    response.setHeader("content-type", "application/did+json");
    response.end(JSON.stringify(createDidDocument(did(path === ".well-known" ? undefined : path), named)));
  });
  const { port, close } = await listen(server);
  const did = (name?: string) =>
    `did:web:localhost%3A${port}${name === undefined ? "" : `:${name.replaceAll("/", ":")}`}`;
  return {
    did,
    origin: `http://localhost:${port}`,
    serve: (path, document) => documents.set(path, document),
    charge: (path, terms) => charged.set(path, terms),
    forward: (path, url) => forwarded.set(path, url),
    nameWallets: (...next) => {
      named = next;
    },
    close,
  };
}
