"use client";

import "@rainbow-me/rainbowkit/styles.css";
import { useComputedColorScheme } from "@mantine/core";
import { darkTheme, lightTheme, RainbowKitProvider, type Theme } from "@rainbow-me/rainbowkit";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { WagmiProvider } from "wagmi";
import { ThemeProvider } from "../../theme/ThemeProvider.tsx";
import { ConfirmDialog } from "./ConfirmDialog.tsx";
import { createWalletConfig, type RegistryConnection } from "./config.ts";
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

/** RainbowKit in the colours of `theme/tokens.css`. */
function walletTheme(scheme: "light" | "dark"): Theme {
  const base = (scheme === "dark" ? darkTheme : lightTheme)({ borderRadius: "small", overlayBlur: "none" });
  return {
    ...base,
    fonts: { body: "var(--font-sans)" },
    colors: {
      ...base.colors,
      accentColor: "var(--accent)",
      accentColorForeground: "var(--on-accent)",
      actionButtonBorder: "var(--rule)",
      actionButtonSecondaryBackground: "var(--paper-sunk)",
      closeButton: "var(--ink-2)",
      closeButtonBackground: "var(--paper-sunk)",
      connectButtonBackground: "var(--paper-raised)",
      connectButtonText: "var(--ink)",
      error: "var(--fail)",
      generalBorder: "var(--rule)",
      generalBorderDim: "var(--rule)",
      menuItemBackground: "var(--paper-sunk)",
      modalBackground: "var(--paper-raised)",
      modalBorder: "var(--rule)",
      modalText: "var(--ink)",
      modalTextDim: "var(--ink-3)",
      modalTextSecondary: "var(--ink-2)",
      profileAction: "var(--paper-sunk)",
      profileActionHover: "var(--accent-soft)",
      profileForeground: "var(--paper-raised)",
      selectedOptionBorder: "var(--accent)",
    },
    shadows: { ...base.shadows, dialog: "0 8px 32px rgb(0 0 0 / 0.16)" },
  };
}
