import { createServer } from "node:http";
import { LOCAL_CHAIN_ID } from "@app-registry/sdk";
import getPort, { portNumbers } from "get-port";
import type { Address } from "viem";

/** A loopback web server that serves the did.json of `did:web:localhost%3A<port>`, naming one wallet. */
export async function startDidHost(controller: Address): Promise<{ did: string; close(): Promise<void> }> {
  const port = await getPort({ port: portNumbers(4100, 4149) });
  const did = `did:web:localhost%3A${port}`;
  const document = {
    "@context": [
      "https://www.w3.org/ns/did/v1",
      "https://w3id.org/security/suites/secp256k1recovery-2020/v2",
    ],
    id: did,
    verificationMethod: [
      {
        id: `${did}#controller`,
        type: "EcdsaSecp256k1RecoveryMethod2020",
        controller: did,
        blockchainAccountId: `eip155:${LOCAL_CHAIN_ID}:${controller}`,
      },
    ],
    assertionMethod: [`${did}#controller`],
  };
  const server = createServer((request, response) => {
    const found = request.url === "/.well-known/did.json";
    response.writeHead(found ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify(found ? document : { error: "not found" }));
  });
  await new Promise<void>((resolve) => server.listen(port, "localhost", resolve));
  return {
    did,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
