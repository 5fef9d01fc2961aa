/**
 * Headers of every API response. A response is data: browsers must not run it, frame it or treat it as another type,
 * even when they open it as a page.
 */
export const apiSecurityHeaders = {
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
} as const;

/** Origins that a page with a wallet connects to, besides this site. */
type PageConnections = {
  /** RPC endpoint for browsers. */
  rpcUrl: string;
  /** Origin of an RPC endpoint that a reader entered to verify a service; see {@link readRpcOrigin}. */
  askedRpc?: string | undefined;
  /** True if wallets on other devices are offered, through WalletConnect's relays. */
  walletConnect: boolean;
  /** True for `next dev`, which compiles in the browser and reloads over a web socket. */
  development: boolean;
};

const walletConnectHosts = [
  "https://*.walletconnect.com",
  "https://*.walletconnect.org",
  "wss://*.walletconnect.com",
  "wss://*.walletconnect.org",
];

/**
 * Returns the Content-Security-Policy (CSP 3) of a page. Scripts need this response's nonce. Images load only from this
 * origin or inline, so no icon reveals a visitor to its host. Inline styles are allowed, because the component library
 * and the wallet dialog write `style` attributes, which no nonce covers.
 */
export function pageSecurityPolicy(
  nonce: string,
  { rpcUrl, askedRpc, walletConnect, development }: PageConnections,
): string {
  const connect = [
    new URL(rpcUrl).origin,
    ...(askedRpc ? [askedRpc] : []),
    ...(walletConnect ? walletConnectHosts : []),
  ];
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ""}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    `connect-src 'self' ${connect.join(" ")}${development ? " ws:" : ""}`,
    walletConnect
      ? "frame-src https://verify.walletconnect.com https://verify.walletconnect.org"
      : "frame-src 'none'",
    "worker-src 'self' blob:",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join("; ");
}

/**
 * Parses the origin that a page's policy should additionally allow: one https host with its port, or this machine by
 * http. Returns `undefined` for any other text, such as one that would extend the policy.
 */
export function readRpcOrigin(text: string | null): string | undefined {
  const url = text === null ? null : URL.parse(text);
  if (url === null || url.origin !== text) return undefined;
  const isName = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/.test(url.hostname);
  const isLoopback = url.hostname === "localhost" || url.hostname === "127.0.0.1";
  if (!isName) return undefined;
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback) ? url.origin : undefined;
}

/** Headers of every page besides its policy. */
export const pageSecurityHeaders = {
  // Keeps a wallet's pop-up connected to the page and isolates the page from all other windows.
  "cross-origin-opener-policy": "same-origin-allow-popups",
  "permissions-policy":
    "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), microphone=(), midi=(), payment=(), usb=()",
  "referrer-policy": "strict-origin-when-cross-origin",
  "x-content-type-options": "nosniff",
} as const;

/** Returns the nonce of a page's scripts from the policy that the proxy added to the request. */
export function pageNonce(headers: Pick<Headers, "get">): string | undefined {
  return /'nonce-([^']+)'/.exec(headers.get("content-security-policy") ?? "")?.[1];
}
