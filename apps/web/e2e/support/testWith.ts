import { freePort } from "@app-registry/test-kit/freePort";
import { patience } from "@app-registry/test-kit/vitestProjects";
import { toHex } from "viem";
import { type NextServer, startNextServer } from "../../lib/server/test/nextServer.ts";
import { testAccount } from "./accounts.ts";
import { test } from "./test.ts";

const stackVariables = ({ E2E_RPC_URL, E2E_INDEXER_URL, DEPLOYMENT_FILE }: NodeJS.ProcessEnv) => ({
  CHAIN_ID: "31337",
  RPC_URL: E2E_RPC_URL ?? "http://127.0.0.1:8545",
  INDEXER_URL: E2E_INDEXER_URL ?? "http://127.0.0.1:42069",
  ...(DEPLOYMENT_FILE ? { DEPLOYMENT_FILE } : {}),
  ALLOW_LOOPBACK_DIDS: "true",
  // It attests, and sends nothing: the nonces of the stack's issuer stay the stack's own.
  ISSUER_PRIVATE_KEY: toHex(testAccount(19).getHdKey().privateKey ?? new Uint8Array()),
  ISSUER_MODE: "sign",
});

/**
 * Tests against a second web app over the chain and the index of the stack, with variables of its own. Its issuer signs
 * and sends nothing.
 */
export const testWith = (variables: Record<string, string> = {}) =>
  test.extend<object, { ownServer: NextServer }>({
    ownServer: [
      async ({ playwright: _ }, use) => {
        const server = await startNextServer(await freePort(), {
          ...stackVariables(process.env),
          ...variables,
        });
        await use(server);
        await server.stop();
      },
      { scope: "worker", timeout: patience.hookTimeout },
    ],
    baseURL: ({ ownServer }, use) => use(ownServer.origin),
  });
