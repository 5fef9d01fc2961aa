import { isIP } from "node:net";
import { nearly } from "@app-registry/test-kit/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isLoopbackAddress, isPublicAddress } from "./publicAddress.ts";

describe("isPublicAddress", () => {
  it.each(["1.1.1.1", "93.184.216.34", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8"])(
    "returns true for %s",
    (ip) => {
      expect(isPublicAddress(ip)).toBe(true);
    },
  );

  it.each([
    ["unspecified", "0.0.0.0"],
    ["loopback", "127.0.0.1"],
    ["loopback elsewhere in 127/8", "127.8.9.10"],
    ["private 10/8", "10.0.0.1"],
    ["private 172.16/12", "172.31.255.255"],
    ["private 192.168/16", "192.168.1.1"],
    ["link-local, cloud metadata", "169.254.169.254"],
    ["CGNAT", "100.64.0.1"],
    ["benchmarking", "198.18.0.1"],
    ["documentation", "192.0.2.1"],
    ["protocol assignments", "192.0.0.8"],
    ["protocol assignments, cloud metadata", "192.0.0.192"],
    ["CGNAT, cloud metadata", "100.100.100.200"],
    ["6to4 relays", "192.88.99.1"],
    ["AS112", "192.175.48.1"],
    ["AMT", "192.52.193.1"],
    ["multicast", "224.0.0.1"],
    ["reserved", "240.0.0.1"],
    ["broadcast", "255.255.255.255"],
    ["IPv6 unspecified", "::"],
    ["IPv6 loopback", "::1"],
    ["IPv6 unique local", "fd00::1"],
    ["IPv6 link-local", "fe80::1"],
    ["IPv6 site-local", "fec0::1"],
    ["IPv6 multicast", "ff02::1"],
    ["IPv6 documentation", "2001:db8::1"],
    ["IPv4-mapped loopback", "::ffff:127.0.0.1"],
    ["IPv4-mapped private, in hex", "::ffff:a00:1"],
    ["IPv4-compatible", "::8.8.8.8"],
    ["NAT64 of a private address", "64:ff9b::10.0.0.1"],
    ["local-use NAT64", "64:ff9b:1::1"],
    ["6to4 of a loopback address", "2002:7f00:1::1"],
    ["Teredo", "2001:0:1::1"],
    ["ISATAP below a public prefix", "2606:4700::5efe:a00:1"],
    ["ISATAP below a public prefix, universal", "2606:4700::200:5efe:a00:1"],
    ["IPv4-translated", "::ffff:0:7f00:1"],
    ["IPv6 discard", "100::1"],
    ["IPv6 benchmarking", "2001:2::1"],
    ["ORCHIDv2", "2001:20::1"],
    ["IPv6 documentation, the newer", "3fff::1"],
    ["segment routing", "5f00::1"],
    ["what nobody was given yet", "4000::1"],
    ["a zone", "2606:4700::1111%eth0"],
    ["a name", "example.com"],
    ["nothing", ""],
  ])("returns false for %s (%s)", (_, ip) => {
    expect(isPublicAddress(ip)).toBe(false);
  });
});

describe("isPublicAddress and isLoopbackAddress, with random addresses", () => {
  const bytes = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255));

  // @threat services: A host with a private or disguised address
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
