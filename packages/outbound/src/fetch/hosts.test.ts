import { createHook } from "node:async_hooks";
import nodeDns from "node:dns";
import { isIP } from "node:net";
import { nearly } from "@app-registry/test-kit/arbitraries";
import { type DnsServer, startDnsServer } from "@app-registry/test-kit/dnsServer";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { insideAddresses } from "../../test/insideAddresses.ts";
import { createGuardedFetch } from "./guardedFetch.ts";
import { createDnsResolver, getHost, isLoopbackAddress, isPublicAddress } from "./hosts.ts";

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

let dns: DnsServer;
const systemServers = nodeDns.getServers();
/** Calls of the system's resolver, which has search domains, a hosts file and two threads. */
let systemLookups = 0;
const hook = createHook({
  init(_id, type) {
    if (type === "GETADDRINFOREQWRAP") systemLookups++;
  },
});

beforeAll(async () => {
  dns = await startDnsServer();
  nodeDns.setServers([dns.address]);
  hook.enable();
});
afterAll(() => {
  hook.disable();
  nodeDns.setServers(systemServers);
  dns.close();
});

const resolve = (name: string, timeout = 5_000) =>
  new Promise((done, fail) =>
    createDnsResolver(timeout)(name, { all: true }, (error, addresses) =>
      error ? fail(error) : done(addresses),
    ),
  );

describe("an untrusted name", () => {
  // @threat services: A DID, host, name, redirect or record that leads to a private address
  it("is resolved unchanged, by the name servers only", async () => {
    dns.putAddresses("public.example", "93.184.216.34");
    dns.putAddresses("inside.example", "10.0.0.1");
    expect(await resolve("public.example")).toEqual([{ address: "93.184.216.34", family: 4 }]);
    const guarded = createGuardedFetch();
    await expect(guarded.fetch("https://inside.example/")).rejects.toMatchObject({
      code: "address-not-public",
    });
    // With search domains, these would resolve to hosts in the operator's own network.
    await expect(guarded.fetch("https://postgres/")).rejects.toMatchObject({ code: "name-not-found" });
    await guarded.close();
    expect([...new Set(dns.questions())]).toEqual(["public.example", "inside.example", "postgres"]);
    expect(systemLookups).toBe(0);
  });

  it("is loopback below localhost (RFC 6761), without a DNS query", async () => {
    const before = dns.questions().length;
    for (const name of ["localhost", "service.localhost"]) {
      expect(await resolve(name)).toEqual([
        { address: "127.0.0.1", family: 4 },
        { address: "::1", family: 6 },
      ]);
    }
    expect(dns.questions().length).toBe(before);
  });

  // @threat services: A DID, host, name, redirect or record that leads to a private address
  it("delays only its own request if its name servers never respond", async () => {
    const silent = await startDnsServer();
    silent.fallSilent();
    nodeDns.setServers([silent.address]);
    const guarded = createGuardedFetch({ timeout: 1_000 });
    const names = Array.from({ length: 20 }, (_, index) => `https://silent-${index}.example/`);
    for (const outcome of await Promise.allSettled(names.map((name) => guarded.fetch(name)))) {
      expect(outcome).toMatchObject({
        status: "rejected",
        reason: { code: expect.stringMatching(/^(name-not-found|timeout)$/), retryable: true },
      });
    }
    expect(systemLookups).toBe(0);
    nodeDns.setServers([dns.address]);
    await guarded.close();
    silent.close();
  });
});

describe("getHost", () => {
  it.each([
    ["https://Docs.Example.com/a.json", "docs.example.com"],
    ["https://example.com:8443/a.json", "example.com"],
    ["http://127.0.0.1:3000/a.json", "127.0.0.1:3000"],
    ["http://localhost:3000/a.json", "localhost:3000"],
    ["http://[::1]:3000/a.json", "[::1]:3000"],
    ["http://service.localhost:3000/a.json", "service.localhost:3000"],
    ["http://127.8.9.1:3000/a.json", "127.8.9.1:3000"],
    ["http://2130706433:3000/a.json", "127.0.0.1:3000"],
    ["https://127.example.com:3000/a.json", "127.example.com"],
    ["https://notlocalhost:3000/a.json", "notlocalhost"],
    ["https://[2606:4700::1]:3000/a.json", "[2606:4700::1]"],
    ["https://example.com.:8443/a.json", "example.com"],
    ["ipfs://bafy/a.json", "bafy"],
    ["data:application/json,{}", ""],
    ["no URL", ""],
  ])("returns the host of %s as %j", (url, host) => {
    expect(getHost(url)).toBe(host);
  });
});
