"use client";

import {
  type ButtonProps,
  type CSSVariablesResolver,
  createTheme,
  type MantineColorsTuple,
  MantineProvider,
  type MantineTheme,
} from "@mantine/core";
import type { ReactNode } from "react";

/** Applies the theme to Mantine's components. The color scheme follows the system until the user chooses one. */
export function ThemeProvider({ children }: { children: ReactNode }) {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver} defaultColorScheme="auto">
      {children}
    </MantineProvider>
  );
}

/** Shades of the accent, light to dark, for Mantine's variants. The visible colors come from `tokens.css`. */
const accent: MantineColorsTuple = [
  "#eef2fa",
  "#dce4f4",
  "#bccced",
  "#a3bcf3",
  "#7596dd",
  "#4a72c4",
  "#2f5aad",
  "#1d468f",
  "#163770",
  "#0f2853",
];

const ON_ACCENT = "var(--on-accent)";

/** Mantine theme: behavior from the library, appearance from `tokens.css`. */
const theme = createTheme({
  colors: { accent },
  primaryColor: "accent",
  primaryShade: { light: 7, dark: 3 },
  autoContrast: true,
  fontFamily: "var(--font-sans)",
  fontFamilyMonospace: "var(--font-mono)",
  fontSizes: {
    xs: "var(--text-13)",
    sm: "var(--text-15)",
    md: "var(--text-15)",
    lg: "var(--text-18)",
    xl: "var(--text-24)",
  },
  lineHeights: { xs: "1.5", sm: "1.5", md: "1.6", lg: "1.5", xl: "1.4" },
  spacing: {
    xs: "var(--space-1)",
    sm: "var(--space-1)",
    md: "var(--space-2)",
    lg: "var(--space-3)",
    xl: "var(--space-4)",
  },
  radius: { xs: "2px", sm: "3px", md: "3px", lg: "4px", xl: "6px" },
  defaultRadius: "sm",
  shadows: {
    md: "0 4px 16px rgb(0 0 0 / 0.12)",
    xl: "0 8px 32px rgb(0 0 0 / 0.16)",
  },
  components: {
    Anchor: { defaultProps: { underline: "always" } },
    // Set the text color on the accent for both schemes, because Mantine's automatic contrast only covers the light
    // one.
    Button: {
      vars: (_theme: MantineTheme, { variant = "filled", disabled }: ButtonProps) => ({
        root: variant === "filled" && !disabled ? { "--button-color": ON_ACCENT } : {},
      }),
    },
    Checkbox: { vars: () => ({ root: { "--checkbox-icon-color": ON_ACCENT } }) },
    Radio: { vars: () => ({ root: { "--radio-icon-color": ON_ACCENT } }) },
  },
  respectReducedMotion: true,
});

const shared = {
  "--mantine-color-body": "var(--paper)",
  "--mantine-color-text": "var(--ink)",
  "--mantine-color-bright": "var(--ink)",
  "--mantine-color-dimmed": "var(--ink-3)",
  "--mantine-color-placeholder": "var(--ink-3)",
  "--mantine-color-anchor": "var(--accent)",
  "--mantine-color-error": "var(--fail)",
  "--mantine-color-default": "var(--paper-raised)",
  "--mantine-color-default-hover": "var(--paper-sunk)",
  "--mantine-color-default-color": "var(--ink)",
  "--mantine-color-default-border": "var(--rule-strong)",
  "--mantine-color-disabled": "var(--paper-sunk)",
  "--mantine-color-disabled-color": "var(--ink-3)",
  "--mantine-color-disabled-border": "var(--rule)",
  "--mantine-primary-color-filled": "var(--accent)",
  "--mantine-primary-color-filled-hover": "var(--accent-hover)",
  "--mantine-primary-color-light": "var(--accent-soft)",
  "--mantine-primary-color-light-color": "var(--accent)",
  "--mantine-primary-color-contrast": "var(--on-accent)",
};

/** Makes all Mantine components use the tokens, in both color schemes. */
const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: shared,
  dark: shared,
});
