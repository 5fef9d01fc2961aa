import type { Issuer } from "@app-registry/issuer";
import type { Connections } from "@app-registry/server/connections";
import { startIssuer } from "@app-registry/server/issuer";
import { once } from "@app-registry/server/once";
import { ApiProblem } from "./problem.ts";
import { registry } from "./registry.ts";

/**
 * Starts the issuer that answers requests.
 * @throws ApiProblem `issuer-not-configured` without a key, and the errors of `startIssuer`.
 */
export async function attestingIssuer(connections: Connections): Promise<Issuer> {
  if (connections.environment.issuerAccount) return startIssuer(connections);
  throw new ApiProblem(503, "issuer-not-configured", "This server does not issue attestations", {
    detail: "No issuer key is configured.",
  });
}

/** Returns the issuer of this process. The next call retries a failed start. */
export const issuer = once(async () => attestingIssuer(registry()));
