import { describe, expect, it } from "vitest";
import { getHost } from "../fetch/hosts.ts";
import { getProbeBudget } from "./prober.ts";

const subjects = (url: string) =>
  getProbeBudget("did:web:attacker.test", getHost(url)).map(({ subject }) => subject);

describe("getProbeBudget", () => {
  it.each([
    "https://VICTIM.example/",
    "https://victim.example./",
    "https://victim.example:8443/",
    "https://%76ictim.example/",
    "https://ｖictim.example/",
    "https://attacker.test@victim.example/",
  ])("uses the same budget for every spelling of a host: %s", (url) => {
    expect(subjects(url)).toEqual(subjects("https://victim.example/"));
  });

  it.each([
    ["names below it", "https://a.victim.example/", "https://b.c.victim.example/"],
    ["IPv6 addresses of its network", "https://[2001:db8:1:2::1]/", "https://[2001:DB8:1:2:ffff::2]/"],
    ["spellings of an IPv4 address", "https://203.0.113.1/", "https://3405803777/"],
  ])("uses the budget of the site for all %s", (_what, one, other) => {
    expect(subjects(one)[1]).toBe(subjects(other)[1]);
  });

  it("does not count a service's daily check of a host that its DID proves, but any further one", () => {
    const count = (did: string, secondsSinceLast?: number) =>
      getProbeBudget(did, "platform.example", secondsSinceLast).length;
    expect(count("did:web:platform.example:tenant")).toBe(0);
    expect(count("did:web:platform.example:tenant", 43_200)).toBe(0);
    expect(count("did:web:platform.example:tenant", 43_199)).toBe(2);
    expect(count("did:web:attacker.test")).toBe(3);
  });
});
