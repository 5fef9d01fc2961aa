import { once } from "@app-registry/server/once";
import { createOperations, serveOperations } from "@app-registry/server/operations";
import { startOrExit, warn } from "@app-registry/server/startup";
import { currentHealth } from "./currentHealth.ts";
import { installHstsHeader, sendDefaultSecurity } from "./incomingRequests.ts";
import { issuer } from "./issuer.ts";
import { registry } from "./registry.ts";
import { measureRequests } from "./requestMetrics.ts";

/** What a server has from its beginning, whether or not its issuer can start yet. */
const prepare = once(async () => {
  const { environment } = registry();
  installHstsHeader(environment.publicUrl);
  sendDefaultSecurity();
  warn(environment);
  measureRequests(await serveOperations(environment, createOperations(currentHealth)));
  return environment;
});

/**
 * Checks the configuration, the deployment file and, where a key is set, that it is an authorised issuer's, whose
 * attestations are checked again from then on unless the worker does that. Ends the process with one line when the server
 * can't do its work; a chain, a database or a KMS that does not answer yet is waited for.
 */
export const start = (): Promise<void> =>
  startOrExit(async () => {
    const { issuerAccount, backgroundWork } = await prepare();
    if (!issuerAccount) return;
    const { revalidation } = await issuer();
    if (backgroundWork === "here") revalidation?.start();
  });
