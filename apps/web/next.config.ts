import path from "node:path";
import type { NextConfig } from "next";

/** What wagmi and WalletConnect can load lazily but this project does not install. */
const absentWalletPackages = [
  "@base-org/account",
  "@coinbase/wallet-sdk",
  "@gemini-wallet/core",
  "@metamask/sdk",
  "@reown/appkit/core",
  "@safe-global/safe-apps-provider",
  "@safe-global/safe-apps-sdk",
  "cbw-sdk",
  "porto",
  "porto/internal",
];

const nextConfig: NextConfig = {
  distDir: process.env.NEXT_DIST_DIR ?? ".next",
  transpilePackages: [
    "@app-registry/sdk",
    "@app-registry/outbound",
    "@app-registry/issuer",
    "@app-registry/server",
  ],
  // Bundled, each route would have a copy of its own, of half a megabyte and more.
  serverExternalPackages: ["undici", "viem", "zod"],
  // `pnpm check` checks the types; whoever deploys need not wait for it again.
  typescript: { ignoreBuildErrors: true },
  poweredByHeader: false,
  output: "standalone",
  // The program of a child process, which the build does not see.
  outputFileTracingIncludes: { "/api/picture/*": ["./lib/server/pictures/draw.mjs"] },
  outputFileTracingRoot: path.join(import.meta.dirname, "../.."),
  devIndicators: false,
  // No picture passes this server; its optimizer would ask the routes of this site uncounted.
  images: { unoptimized: true },
  reactStrictMode: true,
  experimental: {
    optimizePackageImports: ["@mantine/core", "@mantine/hooks", "@tabler/icons-react"],
    // It is 240 MB and speeds up the next build in the same folder, which a CI job does not have.
    turbopackFileSystemCacheForBuild: !process.env.CI,
  },
  turbopack: {
    root: path.join(import.meta.dirname, "../.."),
    resolveAlias: Object.fromEntries(absentWalletPackages.map((name) => [name, "./config/absentPackage.ts"])),
  },
  // The DID documents of the local stack's own did:web; the route answers 404 everywhere else.
  rewrites: async () => [{ source: "/:path*/did.json", destination: "/api/local-did" }],
  // Pages and routes set their own headers; files are left.
  headers: async () => [
    { source: "/_next/:path*", headers: [{ key: "X-Content-Type-Options", value: "nosniff" }] },
  ],
};

export default nextConfig;
