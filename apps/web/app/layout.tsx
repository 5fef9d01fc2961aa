import "@fontsource-variable/source-sans-3/wght.css";
import "@fontsource-variable/jetbrains-mono/wght.css";
import "../theme/tokens.css";
import "../theme/globals.css";
import "../theme/parts.css";
import "../theme/mantine.css";
import { ColorSchemeScript, mantineHtmlProps } from "@mantine/core";
import type { Metadata, Viewport } from "next";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import { SiteFooter, SiteHeader } from "../components/shell/shell.tsx";
import { pageNonce } from "../lib/server/securityHeaders.ts";
import { ThemeProvider } from "../theme/ThemeProvider.tsx";

export const metadata: Metadata = {
  title: { default: "App Registry", template: "%s · App Registry" },
  description:
    "A public register of services: who publishes them, what they offer, and what has been verified.",
  alternates: {
    types: { "application/atom+xml": "/feed.atom", "application/feed+json": "/feed.json" },
  },
};

export const viewport: Viewport = {
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#faf7f0" },
    { media: "(prefers-color-scheme: dark)", color: "#171613" },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  const nonce = pageNonce(await headers());
  return (
    <html lang="en" {...mantineHtmlProps}>
      <head>
        <ColorSchemeScript defaultColorScheme="auto" nonce={nonce} suppressHydrationWarning />
      </head>
      <body>
        <ThemeProvider>
          <a href="#main" className="skipLink">
            Skip to content
          </a>
          <SiteHeader />
          <main id="main">{children}</main>
          <SiteFooter />
        </ThemeProvider>
      </body>
    </html>
  );
}
