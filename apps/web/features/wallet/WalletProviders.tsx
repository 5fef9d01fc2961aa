"use client";

import "@rainbow-me/rainbowkit/styles.css";
import { useComputedColorScheme } from "@mantine/core";
import { RainbowKitProvider } from "@rainbow-me/rainbowkit";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { WagmiProvider } from "wagmi";
import { ConnectionContext } from "./ConnectionContext.ts";
import { createWalletConfig, type RegistryConnection } from "./config.ts";
import { ConfirmDialog } from "./testWallet/ConfirmDialog.tsx";
import { createConfirmations } from "./testWallet/confirmations.ts";
import { walletTheme } from "./theme.ts";

/** Wallet and chain for the pages that write. Pages that only read never load it. */
export function WalletProviders({
  connection,
  children,
}: {
  connection: RegistryConnection;
  children: ReactNode;
}) {
  const scheme = useComputedColorScheme("light");
  const [confirmations] = useState(createConfirmations);
  const [config] = useState(() => createWalletConfig(connection, confirmations));
  const [queryClient] = useState(() => new QueryClient({ defaultOptions: { queries: { retry: 1 } } }));
  return (
    <ConnectionContext value={connection}>
      <WagmiProvider config={config}>
        <QueryClientProvider client={queryClient}>
          <RainbowKitProvider
            theme={walletTheme(scheme)}
            modalSize="compact"
            appInfo={{ appName: "App Registry" }}
          >
            {children}
            <ConfirmDialog confirmations={confirmations} />
          </RainbowKitProvider>
        </QueryClientProvider>
      </WagmiProvider>
    </ConnectionContext>
  );
}
