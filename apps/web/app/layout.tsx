import "../theme/fonts.ts";
import "../theme/tokens.css";
import "../theme/globals.css";
import "../theme/parts.css";
import "../theme/mantine.css";
import type { Metadata, Viewport } from "next";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import { LocalTimes } from "../components/shell/browser.tsx";
import { SiteFooter, SiteHeader } from "../components/shell/shell.tsx";
import { pageNonce } from "../lib/server/http/securityHeaders.ts";
import { colorSchemeScript } from "../theme/colorScheme.ts";

export const metadata: Metadata = {
  title: { default: "App Registry", template: "%s · App Registry" },
  description:
    "A public registry of services: who controls them, what they claim to offer and what has been verified.",
  alternates: {
    types: { "application/atom+xml": "/feed.atom" },
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
    <html lang="en" data-mantine-color-scheme="light" suppressHydrationWarning>
      <head>
        <link rel="ard" href="/.well-known/ard.json" />
        <link rel="ai-catalog" href="/.well-known/ai-catalog.json" type="application/ai-catalog+json" />
        {/* Browsers hide the nonce of a script once they have read it, so hydration would report a mismatch. */}
        <script
          nonce={nonce}
          suppressHydrationWarning
          // biome-ignore lint/security/noDangerouslySetInnerHtml: the text is a constant
          dangerouslySetInnerHTML={{ __html: colorSchemeScript }}
        />
      </head>
      <body>
        <a href="#main" className="skipLink">
          Skip to content
        </a>
        <SiteHeader />
        <main id="main">{children}</main>
        <SiteFooter />
        <LocalTimes />
      </body>
    </html>
  );
}
