import { once } from "@app-registry/server/once";
import { createOperations, serveOperations } from "@app-registry/server/operations";
import { startOrExit, warn } from "@app-registry/server/startup";
import { currentHealth } from "./currentHealth.ts";
import { issuer } from "./issuer.ts";
import { registry } from "./registry.ts";
import { measureRequests } from "./requestMetrics.ts";

/** Starts the parts of a server that do not depend on its issuer. */
const prepare = once(async () => {
  const { environment } = registry();
  warn(environment);
  measureRequests(await serveOperations(environment, createOperations(currentHealth)));
  return environment;
});

/**
 * Checks the configuration and the deployment file. With a key, also checks that it belongs to an authorised issuer.
 * Ends the process with one line if the server can't work; waits for an unresponsive chain, database or KMS.
 */
export const start = (): Promise<void> =>
  startOrExit(async () => {
    const { issuerAccount } = await prepare();
    if (issuerAccount) await issuer();
  });
