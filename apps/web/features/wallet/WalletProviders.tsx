"use client";

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { WagmiProvider } from "wagmi";
import { ThemeProvider } from "../../theme/ThemeProvider.tsx";
import { createWalletConfig, type RegistryConnection } from "./config.ts";
import { WalletDialogs } from "./dialogs.tsx";
import { createConfirmations } from "./testWallet.ts";
import { ConnectionContext } from "./useRegistryClient.ts";

type WalletProvidersProps = { connection: RegistryConnection; children: ReactNode };

/** Wallet, chain and component library for the pages that write. Pages that only read never load them. */
export function WalletProviders(props: WalletProvidersProps) {
  return (
    <ThemeProvider>
      <WithWallet {...props} />
    </ThemeProvider>
  );
}

function WithWallet({ connection, children }: WalletProvidersProps) {
  const [confirmations] = useState(createConfirmations);
  const [config] = useState(() => createWalletConfig(connection, confirmations));
  const [queryClient] = useState(() => new QueryClient({ defaultOptions: { queries: { retry: 1 } } }));
  return (
    <ConnectionContext value={connection}>
      <WagmiProvider config={config}>
        <QueryClientProvider client={queryClient}>
          <WalletDialogs confirmations={confirmations}>{children}</WalletDialogs>
        </QueryClientProvider>
      </WagmiProvider>
    </ConnectionContext>
  );
}
