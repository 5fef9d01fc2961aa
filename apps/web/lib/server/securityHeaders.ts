/**
 * What every answer of the API carries. It is data: nothing in it is to be run, framed, or taken for another type, even
 * when a browser opens it as a page.
 */
export const apiSecurityHeaders = {
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
} as const;

/** Where a page with a wallet connects to, beside this site itself. */
type PageConnections = {
  /** The RPC endpoint that browsers are told. */
  rpcUrl: string;
  /** The origin of an RPC endpoint that a reader typed to verify a service; see {@link readRpcOrigin}. */
  askedRpc?: string | undefined;
  /** Whether wallets on other devices are offered, through WalletConnect's relays. */
  walletConnect: boolean;
  /** `next dev` compiles in the browser and reloads over a web socket. */
  development: boolean;
};

const walletConnectHosts = [
  "https://*.walletconnect.com",
  "https://*.walletconnect.org",
  "wss://*.walletconnect.com",
  "wss://*.walletconnect.org",
];

/**
 * The Content-Security-Policy (CSP 3) of a page. Scripts run by the nonce of this one answer. Nothing of a stranger's is
 * loaded: images come from this origin or are drawn in place, so that no icon tells its host who looks. Inline styles are
 * allowed, because the component library and the wallet dialog write `style` attributes, which no nonce covers.
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
 * Reads the origin that a page's policy is asked to allow: one https host with its port, or this machine by http. A
 * text that is anything else, or that could say more in a policy, is undefined.
 */
export function readRpcOrigin(text: string | null): string | undefined {
  const url = text === null ? null : URL.parse(text);
  if (url === null || url.origin !== text) return undefined;
  const isName = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/.test(url.hostname);
  const isLoopback = url.hostname === "localhost" || url.hostname === "127.0.0.1";
  if (!isName) return undefined;
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback) ? url.origin : undefined;
}

/** What every page carries beside its policy. */
export const pageSecurityHeaders = {
  // A dialog that a wallet opens keeps its link to the page; no other window has one.
  "cross-origin-opener-policy": "same-origin-allow-popups",
  "permissions-policy":
    "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), microphone=(), midi=(), payment=(), usb=()",
  "referrer-policy": "strict-origin-when-cross-origin",
  "x-content-type-options": "nosniff",
} as const;

/** The nonce of a page's own scripts, from the policy that the proxy gave its request. */
export function pageNonce(headers: Pick<Headers, "get">): string | undefined {
  return /'nonce-([^']+)'/.exec(headers.get("content-security-policy") ?? "")?.[1];
}
