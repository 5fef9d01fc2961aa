import { createHook } from "node:async_hooks";
import nodeDns from "node:dns";
import { type DnsServer, startDnsServer } from "@app-registry/test-kit/dnsServer";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createGuardedFetch } from "./guardedFetch.ts";
import { createDnsResolver } from "./resolveAddresses.ts";

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
