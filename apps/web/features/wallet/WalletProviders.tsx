"use client";

import "@rainbow-me/rainbowkit/styles.css";
import "./rainbow.css";
import {
  type AvatarComponent,
  type DisclaimerComponent,
  RainbowKitProvider,
  type Theme,
} from "@rainbow-me/rainbowkit";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { useConnectors, WagmiProvider } from "wagmi";
import { ThemeProvider } from "../../theme/ThemeProvider.tsx";
import { createWalletConfig, type RegistryConnection } from "./config.ts";
import { type Confirmations, createConfirmations } from "./testWallet.ts";
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

const FOCUSABLE =
  "a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary, [tabindex]";

type Place = { element: HTMLElement; parent: HTMLElement; index: number };

/** Lists the places of an element and of its ancestors within the page's main part. */
function listPlaces(element: HTMLElement): Place[] {
  const parent = element.parentElement;
  if (parent === null || element.closest("main") === null || element.matches("main > *")) return [];
  return [{ element, parent, index: [...parent.children].indexOf(element) }, ...listPlaces(parent)];
}

/**
 * Moves the focus to the nearest remaining place when the focused element disappears, for example a button whose action
 * is done. Returns the focus to a button that was disabled while its action ran. Otherwise the next press of a key would
 * start at the top of the page.
 */
function useFocusKeeper(): void {
  useEffect(() => {
    let places: Place[] = [];
    const remember = ({ target }: FocusEvent) => {
      if (target instanceof HTMLElement && target.closest("main")) places = listPlaces(target);
    };
    // Never take the focus after the user has left it by a click beside all fields and buttons.
    const forget = ({ target }: PointerEvent) => {
      if (target instanceof Element && !target.closest(`${FOCUSABLE}, label`)) places = [];
    };
    const restore = () => {
      if (document.activeElement !== document.body) return;
      const isThere = places[0]?.element.isConnected;
      const place = places.find(({ parent }) => parent.isConnected);
      if (place === undefined) return;
      const { element, parent, index } = place;
      const near = [parent.children[index], parent.children[index - 1]].flatMap((child) =>
        child ? [child, ...child.querySelectorAll(FOCUSABLE)].filter((part) => part.matches(FOCUSABLE)) : [],
      );
      for (const target of isThere ? [element] : [...near, parent]) {
        if (target === parent) parent.tabIndex = -1;
        (target as HTMLElement).focus({ preventScroll: true });
        if (document.activeElement === target) return;
      }
    };
    // The next frame comes after the effects of a new screen, which focus its title.
    const observer = new MutationObserver(() => requestAnimationFrame(restore));
    observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ["disabled"] });
    addEventListener("focusin", remember);
    addEventListener("pointerdown", forget);
    return () => {
      observer.disconnect();
      removeEventListener("focusin", remember);
      removeEventListener("pointerdown", forget);
    };
  }, []);
}

const NO_SHADOW = "none";

/**
 * RainbowKit theme based on the tokens of `tokens.css`, which follow the color scheme. RainbowKit drops "/" from
 * values.
 */
const rainbowTheme: Theme = {
  blurs: { modalOverlay: "none" },
  colors: {
    accentColor: "var(--accent)",
    accentColorForeground: "var(--on-accent)",
    actionButtonBorder: "var(--rule)",
    actionButtonBorderMobile: "var(--rule-strong)",
    actionButtonSecondaryBackground: "var(--paper-sunk)",
    closeButton: "var(--ink-2)",
    closeButtonBackground: "var(--paper-sunk)",
    connectButtonBackground: "var(--paper-raised)",
    connectButtonBackgroundError: "var(--fail-soft)",
    connectButtonInnerBackground: "var(--paper-sunk)",
    connectButtonText: "var(--ink)",
    connectButtonTextError: "var(--fail)",
    connectionIndicator: "var(--pass)",
    downloadBottomCardBackground: "var(--paper-sunk)",
    downloadTopCardBackground: "var(--paper)",
    error: "var(--fail)",
    generalBorder: "var(--rule)",
    generalBorderDim: "var(--rule)",
    menuItemBackground: "var(--paper-sunk)",
    modalBackdrop: "rgba(0, 0, 0, 0.6)",
    modalBackground: "var(--paper)",
    modalBorder: "var(--rule-strong)",
    modalText: "var(--ink)",
    modalTextDim: "var(--ink-3)",
    modalTextSecondary: "var(--ink-2)",
    profileAction: "var(--paper-sunk)",
    profileActionHover: "var(--rule)",
    profileForeground: "var(--paper)",
    selectedOptionBorder: "var(--rule)",
    standby: "var(--unknown)",
  },
  fonts: { body: "var(--font-sans)" },
  radii: {
    actionButton: "var(--radius)",
    connectButton: "var(--radius)",
    menuButton: "var(--radius)",
    modal: "6px",
    modalMobile: "6px",
  },
  shadows: {
    connectButton: NO_SHADOW,
    dialog: "0 8px 32px rgba(0, 0, 0, 0.16)",
    profileDetailsAction: NO_SHADOW,
    selectedOption: NO_SHADOW,
    selectedWallet: NO_SHADOW,
    walletLogo: NO_SHADOW,
  },
};
