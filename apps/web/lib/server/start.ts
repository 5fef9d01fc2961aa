import { AppRegistryError } from "@app-registry/sdk";
import { InvalidEnvironmentError } from "./environment.ts";
import { issuer } from "./issuer.ts";
import { registry } from "./registry.ts";
import { sendTransportSecurity } from "./transportSecurity.ts";

/** Milliseconds. */
const RETRY_AFTER = 15_000;

/**
 * Checks the configuration, the deployment file and, where a key is set, that it is an authorised issuer's, whose
 * attestations are checked again from then on. Ends the process with one line when the server can't do its work; a chain
 * or a database that does not answer yet is waited for.
 */
export async function start(): Promise<void> {
  try {
    const { environment } = registry();
    sendTransportSecurity(environment.publicUrl);
    if (environment.issuerPrivateKey) (await issuer()).revalidation?.start();
  } catch (error) {
    if (error instanceof AppRegistryError && error.retryable) {
      console.warn(`${error.shortMessage} The issuer starts when it does.`);
      setTimeout(() => void start(), RETRY_AFTER).unref();
      return;
    }
    const known = error instanceof AppRegistryError || error instanceof InvalidEnvironmentError;
    console.error(known ? error.message : error);
    process.exit(1);
  }
}
