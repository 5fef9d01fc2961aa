import { AppRegistryError } from "@app-registry/sdk";
import { InvalidEnvironmentError } from "./environment.ts";
import { sendTransportSecurity } from "./incomingRequests.ts";
import { issuer } from "./issuer.ts";
import { registry } from "./registry.ts";
import { describeUnforeseen } from "./requestLog.ts";

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
      console.warn(JSON.stringify({ level: "warn", event: "issuer waits", reason: error.shortMessage }));
      setTimeout(() => void start(), RETRY_AFTER).unref();
      return;
    }
    console.error(JSON.stringify({ level: "error", event: "server not started", ...whyNot(error) }));
    process.exit(1);
  }
}

function whyNot(error: unknown): Record<string, unknown> {
  if (error instanceof AppRegistryError) return { reason: error.shortMessage, action: error.action };
  if (error instanceof InvalidEnvironmentError) return { reason: error.message };
  return describeUnforeseen(error);
}
