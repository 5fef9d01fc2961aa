import { darkTheme, lightTheme, type Theme } from "@rainbow-me/rainbowkit";

/** RainbowKit in the colours of `theme/tokens.css`. */
export function walletTheme(scheme: "light" | "dark"): Theme {
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
