import type { Theme } from "@rainbow-me/rainbowkit";

const NO_SHADOW = "none";

/**
 * RainbowKit theme based on the tokens of `tokens.css`, which follow the color scheme. RainbowKit drops "/" from
 * values.
 */
export const rainbowTheme: Theme = {
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
