import { createServer, type IncomingMessage } from "node:http";
import { listen } from "@app-registry/test-kit/listen";
import { JsonRpcProvider } from "ethers";
import getPort, { portNumbers } from "get-port";
import { network } from "hardhat";
import type { Network } from "../../scripts/deployment/openNetwork.ts";

/** Hardhat node with its own chain id, like a lasting chain. */
export interface Chain {
  url: string;
  provider: JsonRpcProvider;
  stop(): Promise<void>;
}

export async function startChain(chainId: number, wantedPort?: number): Promise<Chain> {
  const port = wantedPort ?? (await getPort({ port: portNumbers(18_600, 18649) }));
  const server = await network.createServer({ network: "default", override: { chainId } }, "127.0.0.1", port);
  await server.listen();
  const url = `http://127.0.0.1:${port}`;
  const provider = new JsonRpcProvider(url, chainId, { cacheTimeout: -1, staticNetwork: true });
  return {
    url,
    provider,
    async stop() {
      provider.destroy();
      await server.close();
    },
  };
}

/** Opens a chain with its node's accounts. */
export async function connectTo(url: string): Promise<Network> {
  const connection = await network.create({ network: "localhost", override: { url } });
  const { chainId } = await connection.ethers.provider.getNetwork();
  return {
    name: "localhost",
    chainId: Number(chainId),
    connection,
    signers: await connection.ethers.getSigners(),
  };
}

/** JSON-RPC call that a proxy receives. */
export interface Call {
  method: string;
  /** Forwards the call to the node. */
  forward(): Promise<string>;
}

/**
 * Starts a proxy of an RPC. `intercept` answers a call or drops the connection. The proxy forwards all other calls.
 */
export async function startProxy(
  url: string,
  intercept: (call: Call) => Promise<{ error: string } | { result: string } | "drop" | undefined>,
): Promise<{ url: string; stop(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    const body = await toText(request);
    const { id, method } = JSON.parse(body) as { id: number; method: string };
    const forward = async () => {
      const headers = { "content-type": "application/json" };
      return (await fetch(url, { method: "POST", headers, body })).text();
    };
    const instead = await intercept({ method, forward });
    if (instead === "drop") {
      request.socket.destroy();
      return;
    }
    response.setHeader("content-type", "application/json");
    if (!instead) return void response.end(await forward());
    const answer = "error" in instead ? { error: { code: -32000, message: instead.error } } : instead;
    response.end(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
  });
  const { origin, close } = await listen(server);
  return { url: origin, stop: close };
}

export async function toText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
