import { describe, expect, it } from "vitest";
import { clientAddress, getSite, UNKNOWN_CLIENT } from "./clientAddress.ts";

const forwarded = (value?: string) =>
  new Request("http://x/", { headers: value ? { "x-forwarded-for": value } : {} });

describe("clientAddress", () => {
  it("uses the entry of the outermost trusted proxy, whatever the client wrote before it", () => {
    expect(clientAddress(forwarded("203.0.113.9"), 1)).toBe("203.0.113.9");
    expect(clientAddress(forwarded("1.1.1.1, 203.0.113.9"), 1)).toBe("203.0.113.9");
    expect(clientAddress(forwarded("1.1.1.1, 203.0.113.9, 10.0.0.1"), 2)).toBe("203.0.113.9");
  });

  it("counts the ports of an address as one client", () => {
    expect(clientAddress(forwarded("203.0.113.9:1234"), 1)).toBe("203.0.113.9");
    const network = clientAddress(forwarded("2001:db8:1:2::1"), 1);
    expect(clientAddress(forwarded("[2001:db8:1:2::1]:443"), 1)).toBe(network);
  });

  it("counts an IPv6 network, and all forms of an IPv4 address, as one client", () => {
    const network = clientAddress(forwarded("2001:db8:1:2::1"), 1);
    expect(clientAddress(forwarded("2001:db8:1:2:ffff::9"), 1)).toBe(network);
    expect(clientAddress(forwarded("2001:db8:1:3::1"), 1)).not.toBe(network);
    expect(clientAddress(forwarded("::ffff:203.0.113.9"), 1)).toBe("203.0.113.9");
  });

  // @threat services: A picture or a rush that stops the web app
  it("returns the same queue for all networks of an IPv6 /48", () => {
    const siteAt = (address: string) => getSite(clientAddress(forwarded(address), 1));
    expect(siteAt("2001:db8:1:ffff::1")).toBe(siteAt("2001:db8:1:2::1"));
    expect(siteAt("2001:db8:2:2::1")).not.toBe(siteAt("2001:db8:1:2::1"));
    expect(siteAt("203.0.113.9")).toBe("203.0.113.9");
    expect(siteAt("")).toBe(UNKNOWN_CLIENT);
  });

  it.each([undefined, "", "not an address", "203.0.113.9:1234, ", "<script>"])(
    "counts all clients without a usable address (%s) together",
    (value) => {
      expect(clientAddress(forwarded(value), 1)).toBe(UNKNOWN_CLIENT);
      expect(clientAddress(forwarded(value), 3)).toBe(UNKNOWN_CLIENT);
    },
  );

  it("counts all clients together without a trusted proxy, whatever they write", () => {
    expect(clientAddress(forwarded("203.0.113.9"), 0)).toBe(UNKNOWN_CLIENT);
  });
});
