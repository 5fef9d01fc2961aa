import "server-only";
import { registry } from "../../lib/server/registry.ts";
import type { RegistryConnection } from "./config.ts";

/** Returns the connection data for the pages with a wallet. */
export function serverConnection(): RegistryConnection {
  const { deployment, environment } = registry();
  const { publicUrl, publicRpcUrl: rpcUrl, walletConnectProjectId, faucetUrl } = environment;
  return { deployment, publicUrl, rpcUrl, walletConnectProjectId, faucetUrl };
}
