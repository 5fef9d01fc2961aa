import { freePort } from "@app-registry/test-kit/freePort";
import { patience } from "@app-registry/test-kit/vitestProjects";
import { toHex } from "viem";
import { type NextServer, startNextServer } from "../../lib/server/test/nextServer.ts";
import { RPC_URL, testAccount } from "./chain.ts";
import { test } from "./test.ts";

const stackVariables = ({ DEPLOYMENT_FILE, DATABASE_URL }: NodeJS.ProcessEnv) => ({
  CHAIN_ID: "31337",
  RPC_URL,
  ...(DEPLOYMENT_FILE ? { DEPLOYMENT_FILE } : {}),
  ...(DATABASE_URL ? { DATABASE_URL } : {}),
  ALLOW_LOOPBACK_DIDS: "true",
  // This server's issuer sends nothing, so it cannot disturb the nonces of the stack's issuer.
  ISSUER_PRIVATE_KEY: toHex(testAccount(19).getHdKey().privateKey ?? new Uint8Array()),
  ISSUER_MODE: "sign",
});

/**
 * Creates tests against a second web app with its own variables, over the stack's chain and index. Its issuer signs but
 * sends nothing. In development, `next dev` compiles each page when it is first requested.
 */
export const testWith = (variables: Record<string, string> = {}, options?: { inDevelopment: boolean }) =>
  test.extend<object, { ownServer: NextServer }>({
    ownServer: [
      async ({ playwright: _ }, use) => {
        const own = { ...stackVariables(process.env), ...variables };
        const server = await startNextServer(await freePort(), own, options);
        await use(server);
        await server.stop();
      },
      { scope: "worker", timeout: patience.hookTimeout },
    ],
    baseURL: ({ ownServer }, use) => use(ownServer.origin),
  });
