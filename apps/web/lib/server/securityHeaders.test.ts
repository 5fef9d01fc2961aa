import { describe, expect, it } from "vitest";
import { pageSecurityPolicy } from "./securityHeaders.ts";

const page = { rpcUrl: "https://rpc.example/key", walletConnect: false, development: false };

/** A page's policy by its directives. */
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
  it("lets a page connect to this site and to the RPC's origin, and frame nothing", () => {
    expect(directives(page)).toMatchObject({
      "connect-src": ["'self'", "https://rpc.example"],
      "frame-src": ["'none'"],
      "frame-ancestors": ["'none'"],
      "img-src": ["'self'", "data:", "blob:"],
    });
  });

  it("lets a page reach WalletConnect's relay, and frame its verification, only where that is configured", () => {
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

  it("runs no text as a script but while Next develops", () => {
    expect(directives(page)["script-src"]).toEqual(["'self'", "'nonce-n0nce'", "'strict-dynamic'"]);
    expect(directives({ ...page, development: true })["script-src"]).toContain("'unsafe-eval'");
  });
});
