import { AppRegistryError } from "@app-registry/sdk";
import { InvalidEnvironmentError } from "./environment.ts";
import { issuer } from "./issuer.ts";
import { registry } from "./registry.ts";
import { sendTransportSecurity } from "./transportSecurity.ts";

/**
 * Checks the configuration, the deployment file and, where a key is set, that it is an authorised issuer's. Ends the
 * process with one line when the server can't do its work; a chain that does not answer yet is waited for by the
 * first request.
 */
export async function start(): Promise<void> {
  try {
    const { environment } = registry();
    sendTransportSecurity(environment.publicUrl);
    if (environment.issuerPrivateKey) await issuer();
  } catch (error) {
    if (error instanceof AppRegistryError && error.retryable) {
      console.warn(`${error.shortMessage} The issuer starts with the first request.`);
      return;
    }
    const known = error instanceof AppRegistryError || error instanceof InvalidEnvironmentError;
    console.error(known ? error.message : error);
    process.exit(1);
  }
}
