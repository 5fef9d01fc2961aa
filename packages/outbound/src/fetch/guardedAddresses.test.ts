import { Resolver } from "node:dns";
import { createServer } from "node:http";
import { isIPv6 } from "node:net";
import { type DnsServer, startDnsServer } from "@app-registry/test-kit/dnsServer";
import { serveHttp } from "@app-registry/test-kit/httpServer";
import { listen } from "@app-registry/test-kit/listen";
import { countTcpConnections } from "@app-registry/test-kit/tcpConnections";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { insideAddresses } from "../../test/insideAddresses.ts";
import { type CreateGuardedFetchOptions, createGuardedFetch, type GuardedFetch } from "./guardedFetch.ts";

type ResolveAddresses = NonNullable<CreateGuardedFetchOptions["resolve"]>;

/** Server on this machine that must not be reached. It counts its connections. */
let inside: Awaited<ReturnType<typeof listen>>;
let port: number;
let visitors: number;
let dns: DnsServer;
let guarded: GuardedFetch;
let local: GuardedFetch;
let connections: ReturnType<typeof countTcpConnections>;

beforeAll(async () => {
  const server = createServer((_, response) =>
    response.setHeader("content-type", "application/json").end("{}"),
  );
  inside = await listen(server.on("connection", () => visitors++));
  port = inside.port;
  dns = await startDnsServer();
  guarded = createGuardedFetch({ timeout: 30_000, resolve: resolveThrough(dns) });
});
afterAll(async () => {
  await guarded.close();
  await inside.close();
  dns.close();
});
beforeEach(() => {
  visitors = 0;
  local = createGuardedFetch({ allowLoopback: true, timeout: 30_000, resolve: resolveThrough(dns) });
  connections = countTcpConnections();
});
afterEach(async () => {
  connections.stop();
  await local.close();
});

/** Resolver that queries a real DNS server each time. Names with "v6" have AAAA records. */
function resolveThrough(server: DnsServer): ResolveAddresses {
  const resolver = new Resolver({ timeout: 10_000, tries: 1 });
  resolver.setServers([server.address]);
  return (hostname, _options, callback) => {
    const family = hostname.includes("v6") ? 6 : 4;
    resolver[`resolve${family}`](hostname, (error, addresses = []) =>
      callback(
        error,
        addresses.map((address) => ({ address, family })),
      ),
    );
  };
}

const toHost = (address: string) => (isIPv6(address) ? `[${address}]` : address);
const refused = { code: expect.stringMatching(/^(address|url)-not-/) };

async function expectNoSocket(promise: Promise<unknown>, host: string): Promise<void> {
  await expect(promise, host).rejects.toMatchObject(refused);
  expect([connections.count(), visitors], host).toEqual([0, 0]);
}

/** Spellings of a host that all mean 127.0.0.1. */
const spellings = ["2130706433", "0177.0.0.01", "0x7f.1", "127.1", "１２７.０.０.１", "①②⑦.⓪.⓪.①"];

describe("guardedFetch, for an address that is not public", () => {
  // @threat services: A DID, host, name, redirect or record that leads to a private address
  it("opens no socket to a URL of it, in any spelling", async () => {
    for (const host of [...insideAddresses.map(([, address]) => toHost(address)), ...spellings])
      await expectNoSocket(guarded.fetch(`https://${host}:${port}/`), host);
  });

  // @threat services: A DID, host, name, redirect or record that leads to a private address
  it("opens no socket to a name that resolves to it", async () => {
    for (const [index, [, address]] of insideAddresses.entries()) {
      const name = `inside-${isIPv6(address) ? "v6" : "v4"}-${index}.example`;
      dns.putAddresses(name, address);
      await expectNoSocket(guarded.fetch(`https://${name}:${port}/`), address);
      expect(dns.questions()).toContain(name);
    }
  });

  // @threat services: A DID, host, name, redirect or record that leads to a private address
  it("opens no second socket for a redirect to it", async () => {
    let location = "";
    const origin = await serveHttp((_, response) =>
      response.writeHead(302, { location, connection: "close" }).end(),
    );
    dns.putAddresses("inside.example", "10.0.0.1");
    const addresses = insideAddresses.map(([, address]) => toHost(address));
    // The redirecting server is local, so loopback is allowed.
    const hosts = addresses.filter((host) => !/127\.|::1\]|:a00|7f00|::8/.test(host));
    for (const [index, host] of [...hosts, "167772161", "012.0.0.01", "inside.example"].entries()) {
      location = `https://${host}:${port}/`;
      await expect(local.fetch(origin), host).rejects.toMatchObject(refused);
      expect([connections.count(), visitors], host).toEqual([index + 1, 0]);
    }
  });

  it("opens no socket over plain http to a name below localhost that resolves to a public address", async () => {
    dns.putAddresses("public.localhost", "93.184.216.34");
    await expectNoSocket(local.fetch(`http://public.localhost:${port}/`), "public.localhost");
  });
});

describe("guardedFetch, for a name whose addresses change", () => {
  // @threat services: A DID, host, name, redirect or record that leads to a private address
  it("resolves it once and connects to that address", async () => {
    dns.putAddresses("rebinding.localhost", "127.0.0.1", "10.0.0.1");
    const url = `http://rebinding.localhost:${port}/`;
    const before = dns.questions().length;
    await expect(local.fetchDocument(url)).resolves.toMatchObject({ text: "{}" });
    expect(dns.questions().length - before).toBe(1);
    expect([connections.count(), visitors]).toEqual([1, 1]);
    const again = createGuardedFetch({ allowLoopback: true, timeout: 30_000, resolve: resolveThrough(dns) });
    await expect(again.fetch(url)).rejects.toMatchObject({ code: "address-not-public" });
    expect([connections.count(), visitors]).toEqual([1, 1]);
    await again.close();
  });

  // @threat services: A DID, host, name, redirect or record that leads to a private address
  it("checks every resolution", async () => {
    dns.putAddresses("rebinding.example", "93.184.216.34", "127.0.0.1");
    const url = `https://rebinding.example:${port}/`;
    // Nothing listens there. The connection attempt shows that the first address was accepted.
    await expect(guarded.fetch(url)).rejects.toMatchObject({
      code: expect.stringMatching(/^(timeout|unreachable)$/),
    });
    expect(connections.count()).toBe(1);
    await expect(guarded.fetch(url)).rejects.toMatchObject({ code: "address-not-public" });
    expect([connections.count(), visitors]).toEqual([1, 0]);
  });
});
