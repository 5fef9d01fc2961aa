import { createServer, request as send } from "node:http";
import type { Address } from "viem";
import { listen } from "./listen.ts";

type AnswerOptions = { status?: number; type?: string; headers?: Record<string, string> };

/** HTTP server on loopback that serves JSON files, such as DID documents. */
export type DidHost = {
  origin: string;
  /** did:web of the host itself. Its document is missing until `name` adds it. */
  root: string;
  /** Serves a body at a path from now on. */
  put(path: string, body: string, options?: AnswerOptions): void;
  /** Returns a new did:web on this host whose document names the wallets. */
  did(...wallets: Address[]): string;
  /** Changes the wallets that the document of a did:web names. */
  name(did: string, ...wallets: Address[]): void;
  /** Forwards the requests for a path to another server from now on. */
  forward(path: string, url: string): void;
  requests(): string[];
  close(): Promise<void>;
};

const notFound = { status: 404, type: "text/plain", headers: {}, body: "" };

/** Creates the document of a DID that names the wallets. */
export const createDidDocument = (id: string, wallets: readonly Address[], chainId = 31_337) => ({
  "@context": "https://www.w3.org/ns/did/v1",
  id,
  verificationMethod: wallets.map((wallet, index) => ({
    id: `${id}#${index}`,
    type: "EcdsaSecp256k1RecoveryMethod2020",
    controller: id,
    blockchainAccountId: `eip155:${chainId}:${wallet}`,
  })),
});

export async function startDidHost(): Promise<DidHost> {
  const files = new Map<string, Required<AnswerOptions> & { body: string }>();
  const requests: string[] = [];
  const servers = new Map<string, string>();
  const server = createServer((request, response) => {
    requests.push(request.url ?? "");
    const { method, headers } = request;
    const behind = servers.get(request.url ?? "");
    if (behind !== undefined) {
      const forwarded = send(
        behind,
        { method, headers: { ...headers, host: new URL(behind).host } },
        (answer) => {
          answer.pipe(response.writeHead(answer.statusCode ?? 502, answer.headers));
        },
      );
      forwarded.on("error", () => response.destroy());
      return void request.pipe(forwarded);
    }
    const file = files.get(request.url ?? "") ?? notFound;
    response.writeHead(file.status, { ...file.headers, "content-type": file.type }).end(file.body);
  });
  const { port, close } = await listen(server);
  const root = `did:web:localhost%3A${port}`;
  let next = 0;
  const put: DidHost["put"] = (path, body, { status = 200, type = "application/json", headers = {} } = {}) =>
    void files.set(path, { body, status, type, headers });
  const name: DidHost["name"] = (did, ...wallets) => {
    const path = did === root ? ".well-known" : did.split(":").at(-1);
    put(`/${path}/did.json`, JSON.stringify(createDidDocument(did, wallets)));
  };
  return {
    origin: `http://localhost:${port}`,
    root,
    put,
    did(...wallets) {
      const did = `${root}:service-${next++}`;
      name(did, ...wallets);
      return did;
    },
    name,
    forward: (path, url) => void servers.set(path, url),
    requests: () => requests,
    close,
  };
}
