"use client";

import { createContext, useContext } from "react";
import type { RegistryConnection } from "./config.ts";

export const ConnectionContext = createContext<RegistryConnection | undefined>(undefined);

/** The deployment and RPC of this page, as the server named them. */
export function useRegistryConnection(): RegistryConnection {
  const connection = useContext(ConnectionContext);
  if (!connection) throw new Error("useRegistryConnection needs WalletProviders above it.");
  return connection;
}
