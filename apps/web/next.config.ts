import path from "node:path";
import type { NextConfig } from "next";

/** Wallet back-ends that wagmi and RainbowKit can load lazily but this project does not install. */
const absentWalletPackages = [
  "@base-org/account",
  "@coinbase/wallet-sdk",
  "@gemini-wallet/core",
  "@metamask/sdk",
  "@safe-global/safe-apps-provider",
  "@safe-global/safe-apps-sdk",
  "cbw-sdk",
  "porto",
  "porto/internal",
];

/** Nothing of a stranger's is ever loaded by a page: images come from this origin or are drawn in place. */
const contentSecurityPolicy = [
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "img-src 'self' data: blob:",
  "object-src 'none'",
].join("; ");

const nextConfig: NextConfig = {
  distDir: process.env.NEXT_DIST_DIR ?? ".next",
  transpilePackages: ["@app-registry/sdk"],
  poweredByHeader: false,
  devIndicators: false,
  reactStrictMode: true,
  experimental: { optimizePackageImports: ["@mantine/core", "@mantine/hooks", "@tabler/icons-react"] },
  turbopack: {
    root: path.join(import.meta.dirname, "../.."),
    resolveAlias: Object.fromEntries(absentWalletPackages.map((name) => [name, "./config/absentPackage.ts"])),
  },
  // The DID documents of the local stack's own did:web; the route answers 404 everywhere else.
  rewrites: async () => [{ source: "/:path*/did.json", destination: "/api/local-did" }],
  headers: async () => [
    {
      source: "/((?!api/).*)",
      headers: [
        { key: "Content-Security-Policy", value: contentSecurityPolicy },
        { key: "Referrer-Policy", value: "strict-origin-when-cross-origin" },
        { key: "X-Content-Type-Options", value: "nosniff" },
      ],
    },
  ],
};

export default nextConfig;
