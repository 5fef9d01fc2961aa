import type { FactOutcomes } from "@app-registry/sdk/internal";
import { describe, expect, it } from "vitest";
import { getNextStep } from "./ProvenHead.tsx";

const passing: FactOutcomes = {
  record: "pass",
  control: "pass",
  content: "pass",
  attested: "pass",
  origin: "pass",
};

const endpoint = { use: "endpoint", pointer: "", url: "https://example.com/mcp", leads: "same-host" };

const step = (
  outcomes: FactOutcomes,
  addresses: object[] = [endpoint],
  proven: string | undefined = "example.com",
) => {
  const facts = Object.entries({ ...passing, ...outcomes }).map(([name, outcome]) => [
    name,
    { outcome, reason: "", evidence: name === "origin" ? { addresses } : {} },
  ]);
  return getNextStep({ facts: Object.fromEntries(facts) }, proven);
};

describe("getNextStep", () => {
  it.each<[string, FactOutcomes, string]>([
    [
      "nothing fails",
      {},
      "If you mean example.com, use it as shown below. The facts don't tell what it does with your data.",
    ],
    [
      "a fact is unknown",
      { content: "unknown" },
      "Don't rely on it until everything can be checked. Check again later.",
    ],
    [
      "several facts fail",
      { control: "fail", origin: "fail", content: "unknown" },
      "Don't rely on this service until its control is proven again.",
    ],
    [
      "a live check fails besides",
      { record: "fail", live: "fail" },
      "Use another service. The service also failed its last live check.",
    ],
    ["only the live check fails", { live: "fail" }, "Check again before you rely on it."],
  ])("names one step if %s", (_, outcomes, text) => {
    expect(step(outcomes).text).toBe(text);
  });

  it("warns in color only of what was checked now", () => {
    expect(step({}).tone).toBeUndefined();
    expect(step({ live: "fail" }).tone).toBe("fail");
    expect(step({ content: "unknown" }).tone).toBe("unknown");
    const known = { outcome: "fail", reason: "", evidence: { lastKnownAtBlock: 7 } } as const;
    const facts = { record: known, control: known, content: known, attested: known, origin: known };
    expect(getNextStep({ facts }, "example.com").tone).toBe("unknown");
  });

  it("names the hosts that are not proven", () => {
    const outside = (url: string) => ({ ...endpoint, url, leads: "elsewhere" });
    const website = { ...outside("https://blog.example"), use: "website" };
    const pay = outside("https://pay.example:8443/x");
    expect(step({ origin: "fail" }, [endpoint, pay, pay, website]).text).toBe(
      "Don't connect, sign in or pay at pay.example:8443.",
    );
    const many = ["a", "b", "c", "d"].map((name) => outside(`https://${name}.example`));
    expect(step({ origin: "fail" }, many).text).toBe(
      "Don't connect, sign in or pay at a.example, b.example, or 2 other hosts.",
    );
    expect(step({ origin: "fail" }, [outside("no address")]).text).toBe(
      "Don't sign in or pay at an address that isn't proven to belong to it.",
    );
  });

  it("names no way to use a service that has no address", () => {
    expect(step({}, [{ ...endpoint, use: "website" }]).text).toBe(
      "There is nothing to use here: its document names no address.",
    );
  });
});
