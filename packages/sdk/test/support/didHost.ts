import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Address } from "viem";

/** A real HTTP server on loopback that serves JSON files, such as DID documents. */
export type DidHost = {
  origin: string;
  /** Answers under a path from now on. */
  put(path: string, body: string, options?: { status?: number; type?: string }): void;
  /** A did:web of its own on this host, whose document names the wallets. */
  did(...wallets: Address[]): string;
  requests(): string[];
  close(): Promise<void>;
};

export async function startDidHost(): Promise<DidHost> {
  const files = new Map<string, { body: string; status: number; type: string }>();
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? "");
    const file = files.get(request.url ?? "") ?? { status: 404, type: "text/plain", body: "" };
    response.writeHead(file.status, { "content-type": file.type }).end(file.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  let next = 0;
  const put: DidHost["put"] = (path, body, { status = 200, type = "application/json" } = {}) =>
    void files.set(path, { body, status, type });
  return {
    origin: `http://localhost:${port}`,
    put,
    did(...wallets) {
      const name = `service-${next++}`;
      const did = `did:web:localhost%3A${port}:${name}`;
      const verificationMethod = wallets.map((wallet, index) => ({
        id: `${did}#${index}`,
        type: "EcdsaSecp256k1RecoveryMethod2020",
        controller: did,
        blockchainAccountId: `eip155:31337:${wallet}`,
      }));
      put(
        `/${name}/did.json`,
        JSON.stringify({ "@context": "https://www.w3.org/ns/did/v1", id: did, verificationMethod }),
      );
      return did;
    },
    requests: () => requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
