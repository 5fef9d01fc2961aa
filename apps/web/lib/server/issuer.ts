import type { Issuer } from "@app-registry/issuer";
import type { Connections } from "@app-registry/server/connections";
import { startIssuer } from "@app-registry/server/issuer";
import { once } from "@app-registry/server/once";
import { ApiProblem } from "./problem.ts";
import { registry } from "./registry.ts";

/**
 * The issuer that answers requests.
 * @throws ApiProblem `issuer-not-configured` without a key, and as `startIssuer`.
 */
export async function attestingIssuer(connections: Connections): Promise<Issuer> {
  if (connections.environment.issuerAccount) return startIssuer(connections);
  throw new ApiProblem(503, "issuer-not-configured", "This server does not issue attestations", {
    detail: "No issuer key is configured.",
  });
}

/** The issuer of this process. A start that fails is tried again at the next call. */
export const issuer = once(async () => attestingIssuer(registry()));
