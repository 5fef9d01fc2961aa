"use client";

import "@rainbow-me/rainbowkit/styles.css";
import "./rainbow.css";
import { type AvatarComponent, type DisclaimerComponent, RainbowKitProvider } from "@rainbow-me/rainbowkit";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { useConnectors, WagmiProvider } from "wagmi";
import { ThemeProvider } from "../../theme/ThemeProvider.tsx";
import { createWalletConfig, type RegistryConnection } from "./config.ts";
import { rainbowTheme } from "./rainbowTheme.ts";
import { type Confirmations, createConfirmations } from "./testWallet.ts";
import { useFocusKeeper } from "./useFocusKeeper.ts";
import { ConnectionContext } from "./useRegistryClient.ts";

// Load the dialog when a test account signs for the first time.
const ConfirmDialog = lazy(() => import("./ConfirmDialog.tsx"));

type WalletProvidersProps = { connection: RegistryConnection; children: ReactNode };

/** Provides wallet, chain and component library to the pages that write. Pages that only read never load them. */
export function WalletProviders(props: WalletProvidersProps) {
  return (
    <ThemeProvider>
      <WithWallet {...props} />
    </ThemeProvider>
  );
}

const LEARN_MORE = "https://ethereum.org/wallets/";

function WithWallet({ connection, children }: WalletProvidersProps) {
  useFocusKeeper();
  const [confirmations] = useState(createConfirmations);
  const [config] = useState(() => createWalletConfig(connection, confirmations));
  const [queryClient] = useState(() => new QueryClient({ defaultOptions: { queries: { retry: 1 } } }));
  return (
    <ConnectionContext value={connection}>
      <WagmiProvider config={config}>
        <QueryClientProvider client={queryClient}>
          <RainbowKitProvider
            appInfo={{ appName: "App Registry", learnMoreUrl: LEARN_MORE, disclaimer: Disclaimer }}
            avatar={Avatar}
            locale="en-US"
            modalSize="compact"
            theme={rainbowTheme}
          >
            {children}
          </RainbowKitProvider>
          {/* Labels for RainbowKit's dialogs, which refer to these ids but leave them unset or on a hidden heading. */}
          <span id="rk_connect_title" hidden>
            Connect a wallet
          </span>
          <span id="rk_account_modal_title" hidden>
            Your account
          </span>
          <Confirms confirmations={confirmations} />
        </QueryClientProvider>
      </WagmiProvider>
    </ConnectionContext>
  );
}

/** Explains the effect of connecting, or how to get a wallet if the browser has none. */
const Disclaimer: DisclaimerComponent = ({ Text }) => {
  const isAnnounced = useConnectors().some(({ id, type }) => type === "injected" && id !== "injected");
  return (
    <Text>
      {isAnnounced || "ethereum" in globalThis
        ? "Connecting shows this page your address and signs nothing."
        : "No wallet found in this browser. Install one, then reload this page, or open this page in a wallet app."}
    </Text>
  );
};

/** Replaces RainbowKit's avatar, which an ENS name can load from any host. */
const Avatar: AvatarComponent = ({ address, size }) => (
  <svg width={size} height={size} viewBox="0 0 2 2" aria-hidden="true">
    <rect width="2" height="2" fill={`#${address.slice(2, 8)}`} />
    <rect width="1" height="1" fill={`#${address.slice(-6)}`} />
  </svg>
);

function Confirms({ confirmations }: { confirmations: Confirmations }) {
  const [asked, setAsked] = useState(false);
  useEffect(() => confirmations.subscribe(() => setAsked(true)), [confirmations]);
  return <Suspense>{asked ? <ConfirmDialog confirmations={confirmations} /> : null}</Suspense>;
}
