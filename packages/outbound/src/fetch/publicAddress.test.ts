import { isIP } from "node:net";
import { nearly } from "@app-registry/test-kit/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { insideAddresses } from "../../test/insideAddresses.ts";
import { isLoopbackAddress, isPublicAddress } from "./publicAddress.ts";

describe("isPublicAddress", () => {
  it.each(["1.1.1.1", "93.184.216.34", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8"])(
    "returns true for %s",
    (ip) => {
      expect(isPublicAddress(ip)).toBe(true);
    },
  );

  it.each([
    ...insideAddresses,
    ["a zone", "2606:4700::1111%eth0"],
    ["a name", "example.com"],
    ["nothing", ""],
  ])("returns false for %s (%s)", (_, ip) => {
    expect(isPublicAddress(ip)).toBe(false);
  });
});

describe("isPublicAddress and isLoopbackAddress, with random addresses", () => {
  const bytes = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255));

  // @threat services: A DID, host, name, redirect or record that leads to a private address
  it("treat an IPv4 address the same in every IPv6 form that reaches it and reject tunnel forms", () => {
    fc.assert(
      fc.property(bytes, (parts) => {
        const dotted = parts.join(".");
        const [high = "", low = ""] = Buffer.from(parts).toString("hex").match(/.{4}/g) ?? [];
        for (const form of [`::ffff:${dotted}`, `::ffff:${high}:${low}`, `64:ff9b::${dotted}`]) {
          expect(isPublicAddress(form)).toBe(isPublicAddress(dotted));
          expect(isLoopbackAddress(form)).toBe(isLoopbackAddress(dotted));
        }
        for (const tunnel of [`::${dotted}`, `2002:${high}:${low}::1`, `2001:0:${high}:${low}::1`]) {
          expect(isPublicAddress(tunnel)).toBe(false);
        }
        expect(isPublicAddress(dotted) && isLoopbackAddress(dotted)).toBe(false);
      }),
    );
  });

  it("never throw and return false for text that node:net treats as a name", () => {
    const known = fc.constantFrom(
      "127.0.0.1",
      "::ffff:1.1.1.1",
      "64:ff9b::8.8.8.8",
      "fe80::1%eth0",
      "2606:4700::1111",
    );
    fc.assert(
      fc.property(nearly(known, [":", "::", ".", "%", "0", "f", "[", "]", "/8"]), (text) => {
        const judged = isPublicAddress(text) || isLoopbackAddress(text);
        if (isIP(text) === 0) expect(judged).toBe(false);
      }),
    );
  });
});

describe("isLoopbackAddress", () => {
  it.each(["127.0.0.1", "127.255.0.1", "::1", "::ffff:127.0.0.1"])("returns true for %s", (ip) => {
    expect(isLoopbackAddress(ip)).toBe(true);
  });

  it.each(["0.0.0.0", "10.0.0.1", "::", "1.1.1.1", "localhost"])("returns false for %s", (ip) => {
    expect(isLoopbackAddress(ip)).toBe(false);
  });
});
