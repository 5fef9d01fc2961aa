import { toHex } from "viem";
import { freePort } from "../../../../packages/sdk/test/support/freePort.ts";
import { type NextServer, startNextServer } from "../../lib/server/test/nextServer.ts";
import { testAccount } from "./accounts.ts";
import { test as base } from "./test.ts";

const variables = ({ E2E_RPC_URL, E2E_INDEXER_URL, DEPLOYMENT_FILE }: NodeJS.ProcessEnv) => ({
  CHAIN_ID: "31337",
  RPC_URL: E2E_RPC_URL ?? "http://127.0.0.1:8545",
  INDEXER_URL: E2E_INDEXER_URL ?? "http://127.0.0.1:42069",
  ...(DEPLOYMENT_FILE ? { DEPLOYMENT_FILE } : {}),
  ALLOW_LOOPBACK_DIDS: "true",
  // The issuer of the stack; as it only signs here, its nonces stay the stack's own.
  ISSUER_PRIVATE_KEY: toHex(testAccount(19).getHdKey().privateKey ?? new Uint8Array()),
  ISSUER_MODE: "sign",
});

/** Tests against a second web app over the chain and the index of the stack, whose issuer signs and sends nothing. */
export const test = base.extend<object, { signingServer: NextServer }>({
  signingServer: [
    async ({ playwright: _ }, use) => {
      const server = await startNextServer(await freePort(), variables(process.env));
      await use(server);
      await server.stop();
    },
    { scope: "worker", timeout: 180_000 },
  ],
  baseURL: ({ signingServer }, use) => use(signingServer.origin),
});
