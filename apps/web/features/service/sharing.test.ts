import type { VerificationReport } from "@app-registry/sdk";
import { describe, expect, it } from "vitest";
import { reportHref, serviceJsonLd } from "./sharing.tsx";

describe("reportHref", () => {
  const did = "did:web:example.com:a&subject=b";

  it.each([
    ["https://registry.example/report", "https://registry.example/report"],
    [
      "https://registry.example/report?of={did}",
      "https://registry.example/report?of=did%3Aweb%3Aexample.com%3Aa%26subject%3Db",
    ],
    [
      "mailto:abuse@registry.example",
      "mailto:abuse@registry.example?subject=Report%20of%20did%3Aweb%3Aexample.com%3Aa%26subject%3Db",
    ],
    [
      "mailto:abuse@registry.example?cc=x@registry.example",
      "mailto:abuse@registry.example?cc=x@registry.example&subject=Report%20of%20did%3Aweb%3Aexample.com%3Aa%26subject%3Db",
    ],
  ])("converts %s to %s, and the DID cannot add anything else", (url, href) => {
    expect(reportHref(url, did)).toBe(href);
  });
});

describe("serviceJsonLd", () => {
  const did = "did:web:very-long-label-of-a-host.payments.example.com:team:stripe";
  const reportWith = (outcome: string) => ({ facts: { control: { outcome } } }) as VerificationReport;
  const record = {
    did,
    version: { major: 1, minor: 0, patch: 0, registeredAt: 0 },
    dataHash: "0xab",
  } as never;
  const metadata = { name: "Stripe Payments", publisher: "Stripe, Inc.", description: "</script>\u202Ex" };
  const document = { ok: true, json: {}, metadata } as never;

  it("uses the proven host as provider, and mentions claims only in the description", () => {
    const data = serviceJsonLd({ record, document }, reportWith("pass"), "https://r.example/apps/x");
    const host = "very-long-label-of-a-host.payments.example.com/team/stripe";
    expect(data).toMatchObject({ about: { "@id": did, provider: { name: host, url: `https://${host}` } } });
    const { about, ...page } = data as { about: Record<string, unknown> };
    const { description, ...identity } = about;
    expect(JSON.stringify({ page, identity })).not.toContain("Stripe");
    expect(description).toBe(
      "Claimed name: “Stripe Payments”. Claimed publisher: “Stripe, Inc.”. Claimed description: </script>\uFFFDx",
    );
  });

  it("omits the provider while control does not pass or is unknown", () => {
    for (const outcome of ["fail", "unknown"]) {
      const { about } = serviceJsonLd({ record, document }, reportWith(outcome), "https://r.example/") as {
        about: object;
      };
      expect(about).not.toHaveProperty("provider");
    }
  });
});
