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
  /** Serves a JSON document at a path from now on. */
  serve: (path: string, document: unknown) => void;
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
    const document = documents.get(request.url ?? "");
    if (document !== undefined) {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(document));
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
    forward: (path, url) => forwarded.set(path, url),
    nameWallets: (...next) => {
      named = next;
    },
    close,
  };
}
