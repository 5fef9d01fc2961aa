import "server-only";
import { readPackages } from "../../lib/server/packages.ts";
import { registry } from "../../lib/server/registry.ts";
import type { RegistryConnection } from "./config.ts";

/** Returns the connection data for the pages with a wallet. */
export async function serverConnection(): Promise<RegistryConnection> {
  const { deployment, environment } = registry();
  const { publicUrl, publicRpcUrl: rpcUrl, walletConnectProjectId, faucetUrl } = environment;
  const { mcp: guardPackage } = await readPackages(environment);
  return { deployment, publicUrl, guardPackage, rpcUrl, walletConnectProjectId, faucetUrl };
}
