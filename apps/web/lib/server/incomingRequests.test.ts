import { once } from "node:events";
import { createServer, METHODS } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import {
  getHstsHeader,
  routeMethodNames,
  sendDefaultSecurity,
  toDecodableTarget,
  toRoutableMethod,
} from "./incomingRequests.ts";

describe("toRoutableMethod", () => {
  it.each(routeMethodNames)("keeps %s", (method) => {
    expect(toRoutableMethod(method)).toBe(method);
  });

  it("replaces every other method that Node accepts with one that no route supports", () => {
    const others = METHODS.filter((method) => !(routeMethodNames as readonly string[]).includes(method));
    expect(others).toContain("TRACE");
    expect(new Set(others.map(toRoutableMethod))).toEqual(new Set(["PATCH"]));
  });
});

describe("toDecodableTarget", () => {
  it.each(["/", "/api/apps/did:web:localhost%3A3000", "/a?b=%E0%A4%A", "/a%253A?c"])("keeps %s", (target) => {
    expect(toDecodableTarget(target)).toBe(target);
  });

  it("converts * to a path", () => {
    expect(toDecodableTarget("*")).toBe("/*");
  });

  it.each([
    ["/api/apps/%E0%A4%A", "/api/apps/%25E0%25A4%25A"],
    ["/%", "/%25"],
    ["/%ff?x=%", "/%25ff?x=%"],
    ["/did:web:a%3A1/%zz", "/did:web:a%253A1/%25zz"],
    ["http://evil.example/api/search?q=%", "/api/search?q=%"],
    ["HTTPS://evil.example", "/"],
  ])("makes %s a path that can be decoded", (target, kept) => {
    expect(toDecodableTarget(target)).toBe(kept);
    expect(() => decodeURIComponent(new URL(kept, "http://x").pathname)).not.toThrow();
  });
});

describe("sendDefaultSecurity", () => {
  it("adds a policy to every response except build files", async () => {
    sendDefaultSecurity();
    const server = createServer((request, response) => {
      response.statusCode = Number(request.url?.slice(-3));
      response.end();
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const getPolicy = async (path: string) => {
      const { headers } = await fetch(`http://127.0.0.1:${port}${path}`, { redirect: "manual" });
      return [headers.get("content-security-policy"), headers.get("x-content-type-options")];
    };
    for (const path of ["/_next/static/308", "/_next/static/404", "/_next/static/500", "/200"]) {
      expect(await getPolicy(path), path).toEqual([expect.stringContaining("sandbox"), "nosniff"]);
    }
    for (const path of ["/_next/static/200", "/_next/static/304"]) {
      expect(await getPolicy(path), path).toEqual([null, null]);
    }
    server.closeAllConnections();
    server.close();
  });
});

describe("getHstsHeader", () => {
  it("requires https for a year on an https site", () => {
    expect(getHstsHeader("https://registry.example")).toBe("max-age=31536000");
  });

  it("returns undefined for an http site, such as a local stack", () => {
    expect(getHstsHeader("http://localhost:3000")).toBeUndefined();
  });
});
