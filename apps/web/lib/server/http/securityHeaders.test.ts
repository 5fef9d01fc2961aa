import { describe, expect, it } from "vitest";
import { pageSecurityPolicy, readRpcOrigin } from "./securityHeaders.ts";

const page = { rpcUrl: "https://rpc.example/key", walletConnect: false, development: false };

/** Returns a page's policy by directive. */
const directives = (connections: typeof page) =>
  Object.fromEntries(
    pageSecurityPolicy("n0nce", connections)
      .split("; ")
      .map((directive) => {
        const [name = "", ...values] = directive.split(" ");
        return [name, values];
      }),
  );

describe("pageSecurityPolicy", () => {
  it("allows connections to this site and to the RPC's origin, and no frames", () => {
    expect(directives(page)).toMatchObject({
      "connect-src": ["'self'", "https://rpc.example"],
      "frame-src": ["'none'"],
      "frame-ancestors": ["'none'"],
      "img-src": ["'self'", "data:", "blob:"],
    });
  });

  it("allows WalletConnect's relay and verification frame only if configured", () => {
    const policy = directives({ ...page, walletConnect: true });
    expect(policy["connect-src"]).toEqual(
      expect.arrayContaining(["wss://*.walletconnect.com", "wss://*.walletconnect.org"]),
    );
    expect(policy["frame-src"]).toEqual([
      "https://verify.walletconnect.com",
      "https://verify.walletconnect.org",
    ]);
    expect(policy["script-src"]).toEqual(directives(page)["script-src"]);
    for (const source of policy["connect-src"] ?? []) expect(source).toMatch(/^('self'|https:|wss:)/);
  });

  it("forbids evaluating text as script except in development", () => {
    expect(directives(page)["script-src"]).toEqual(["'self'", "'nonce-n0nce'", "'strict-dynamic'"]);
    expect(directives({ ...page, development: true })["script-src"]).toContain("'unsafe-eval'");
  });
});

describe("readRpcOrigin", () => {
  it.each([
    "https://rpc.example",
    "https://rpc.example:8443",
    "http://localhost:8545",
    "http://127.0.0.1:8545",
  ])("allows %s as the only additional host of its page", (origin) => {
    const askedRpc = readRpcOrigin(origin);
    const page = { rpcUrl: "https://node.example/key", walletConnect: false, development: false };
    const policy = pageSecurityPolicy("n", { ...page, askedRpc });
    expect(policy).toContain(`connect-src 'self' https://node.example ${origin};`);
    expect(policy.replace(` ${origin}`, "")).toBe(pageSecurityPolicy("n", page));
  });

  it.each([
    null,
    "",
    "*",
    "https:",
    "https://*",
    "https://*.example",
    "https://rpc.example/key",
    "https://rpc.example; script-src *",
    "https://rpc.example 'unsafe-inline'",
    "https://user@rpc.example",
    "https://RPC.example",
    "https://[::1]",
    "http://rpc.example",
    "http://localhost.evil.example",
    "ws://rpc.example",
    "data:text/html,x",
    "javascript:alert(1)",
    // @threat services: A lying RPC endpoint, or one of another chain
  ])("rejects %j", (text) => {
    expect(readRpcOrigin(text)).toBeUndefined();
  });
});
