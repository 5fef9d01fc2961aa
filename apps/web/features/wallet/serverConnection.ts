import "server-only";
import { registry } from "../../lib/server/registry.ts";
import type { RegistryConnection } from "./config.ts";

/**
 * What this server tells the pages with a wallet. `PUBLIC_RPC_URL` names the RPC that browsers may use, where the
 * server's own `RPC_URL` is not for them; `WALLETCONNECT_PROJECT_ID` adds wallets on other devices to the list.
 */
export function serverConnection(): RegistryConnection {
  const { deployment, environment } = registry();
  return {
    deployment,
    publicUrl: environment.publicUrl,
    rpcUrl: process.env["PUBLIC_RPC_URL"] || environment.rpcUrl,
    walletConnectProjectId: process.env["WALLETCONNECT_PROJECT_ID"] || undefined,
  };
}
