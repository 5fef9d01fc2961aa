import type { VerificationReport } from "@app-registry/sdk";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { feedRoutes, llmsTxt, robotsTxt } from "../feeds/feedRoutes.ts";
import { createApi } from "../http/createApi.ts";
import { wantsJson } from "../http/request.ts";
import type { Registry } from "../registry.ts";
import { cacheSeconds, cardName, renderBadge, renderCard } from "./embeds.tsx";

const did = "did:web:very-long-label-of-a-host.payments.example.com:team:stripe";

function createReport(control: "pass" | "fail" | "unknown"): VerificationReport {
  const fact = (outcome: "pass" | "fail" | "unknown") => ({ outcome, reason: "", evidence: {} });
  const facts = {
    record: fact("pass"),
    control: fact(control),
    content: fact("pass"),
    attested: fact("fail"),
    origin: fact("fail"),
  };
  return {
    did,
    version: "1.0.0",
    tokenId: "1",
    checkedAt: 1_764_000_000,
    blockNumber: 1,
    facts,
  } as VerificationReport;
}

describe("renderBadge", () => {
  it("starts with the full proven path, followed by the six marks and their sentence", async () => {
    const badge = renderBadge(createReport("pass"));
    expect(badge).toContain(
      "Controlled by an account at very-long-label-of-a-host.payments.example.com/team/stripe",
    );
    expect(badge).toContain(
      "Attested fails: no issuer attests it now. Origin fails: an address isn't on the proven host. 3 pass, live isn't checked",
    );
    expect(badge.match(/translate\(/g)).toHaveLength(6);
    expect((await sharp(Buffer.from(badge)).metadata()).format).toBe("svg");
  });

  it("does not claim that an account controls the service while control does not pass", () => {
    for (const outcome of ["fail", "unknown"] as const) {
      const badge = renderBadge(createReport(outcome));
      expect(badge).not.toContain("Controlled by");
      expect(badge).toContain(
        outcome === "fail" ? "; control not currently proven" : "; control couldn't be checked",
      );
    }
  });

  it("may be cached for minutes, and for less after an unanswered check", () => {
    expect(cacheSeconds(createReport("pass"))).toBe(300);
    expect(cacheSeconds(createReport("unknown"))).toBe(30);
  });
});

describe("renderCard", () => {
  it("draws a PNG of 1200 × 630 without requesting a font", async () => {
    // Other tests of this process may still ask the chain of this machine.
    const local = /^(file:|data:|http:\/\/127\.0\.0\.1:)/;
    const asked: string[] = [];
    const { fetch } = globalThis;
    globalThis.fetch = (input, init) => {
      const url = input instanceof Request ? input.url : String(input);
      if (!local.test(url)) asked.push(url);
      return fetch(input, init);
    };
    try {
      const picture = Buffer.from(await renderCard(createReport("pass"), "Stripe ✓ Verified").arrayBuffer());
      expect(await sharp(picture).metadata()).toMatchObject({ format: "png", width: 1200, height: 630 });
    } finally {
      globalThis.fetch = fetch;
    }
    expect(asked).toEqual([]);
  });

  it("omits a name that its font lacks, and shortens a long one", () => {
    for (const name of [undefined, "", " ", "天気", "✅ Verified", "a\u202Eb", "a\u200Bb"]) {
      expect(cardName(name)).toBeUndefined();
    }
    expect(cardName("Café “Zoë”")).toBe("Café “Zoë”");
    expect(cardName("x".repeat(200))).toHaveLength(81);
  });
});

describe("wantsJson", () => {
  it("returns true only if the client prefers JSON to HTML", () => {
    for (const accept of [
      "application/json",
      "application/json, */*;q=0.1",
      "text/html;q=0.5, application/*",
    ]) {
      expect(wantsJson(accept), accept).toBe(true);
    }
    const page = [
      "*/*",
      "text/html,application/xhtml+xml,*/*;q=0.8",
      "text/html, application/json",
      "application/json;q=0",
      "",
    ];
    for (const accept of [null, ...page]) expect(wantsJson(accept), String(accept)).toBe(false);
  });
});

describe("security.txt", () => {
  const get = (securityContact?: string) => {
    const environment = { publicUrl: "https://r.example", securityContact };
    return createApi(feedRoutes(() => ({ environment }) as Registry)).request("/.well-known/security.txt");
  };

  it("names the contact and expires within a year (RFC 9116)", async () => {
    const response = await get("mailto:security@r.example");
    expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    const [contact, expires, canonical] = (await response.text()).split("\n");
    expect(contact).toBe("Contact: mailto:security@r.example");
    expect(canonical).toBe("Canonical: https://r.example/.well-known/security.txt");
    const days = (Date.parse(/^Expires: (.+)$/.exec(expires ?? "")?.[1] ?? "") - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(30);
    expect(days).toBeLessThan(365);
  });

  it("does not exist without a contact", async () => {
    expect((await get()).status).toBe(404);
  });
});

describe("robots.txt and llms.txt", () => {
  it("contain this server's URLs", () => {
    expect(robotsTxt("https://r.example")).toContain("Agentmap: https://r.example/.well-known/ard.json");
    expect(llmsTxt("https://r.example")).toContain("https://r.example/.well-known/ard.json");
    expect(robotsTxt("https://r.example")).toContain("Sitemap: https://r.example/sitemap.xml");
    expect(llmsTxt("https://r.example")).toContain("https://r.example/api/openapi.json");
  });
});
