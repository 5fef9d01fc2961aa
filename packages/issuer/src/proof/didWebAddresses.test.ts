import { Resolver } from "node:dns";
import { createServer } from "node:http";
import {
  type CreateGuardedFetchOptions,
  createGuardedFetch,
  type GuardedFetch,
} from "@app-registry/outbound";
import { didDocumentUrl, InvalidDidError, parseDid } from "@app-registry/sdk";
import { nearly, unlessRefused } from "@app-registry/test-kit/arbitraries";
import { type DnsServer, startDnsServer } from "@app-registry/test-kit/dnsServer";
import { serveHttp } from "@app-registry/test-kit/httpServer";
import { listen } from "@app-registry/test-kit/listen";
import { countTcpConnections } from "@app-registry/test-kit/tcpConnections";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import didVectors from "../../../sdk/test/vectors/did.json" with { type: "json" };
import { checkDidControl } from "./checkDidControl.ts";

type ResolveAddresses = NonNullable<CreateGuardedFetchOptions["resolve"]>;

/** Server on this machine that must not be reached. It counts its connections. */
let inside: Awaited<ReturnType<typeof listen>>;
let port: number;
let visitors: number;
let dns: DnsServer;
let guarded: GuardedFetch;
let connections: ReturnType<typeof countTcpConnections>;

beforeAll(async () => {
  const server = createServer((_, response) =>
    response.setHeader("content-type", "application/json").end("{}"),
  );
  inside = await listen(server.on("connection", () => visitors++));
  port = inside.port;
  dns = await startDnsServer();
  guarded = createGuardedFetch({ timeout: 1_000, resolve: resolveThrough(dns) });
});
afterAll(async () => {
  await guarded.close();
  await inside.close();
  dns.close();
});
beforeEach(() => {
  visitors = 0;
  connections = countTcpConnections();
});
afterEach(() => connections.stop());

/** Resolver that queries a real DNS server each time. */
function resolveThrough(server: DnsServer, family: 4 | 6 = 4): ResolveAddresses {
  const resolver = new Resolver({ timeout: 500, tries: 1 });
  resolver.setServers([server.address]);
  return (hostname, _options, callback) =>
    resolver[`resolve${family}`](hostname, (error, addresses = []) =>
      callback(
        error,
        addresses.map((address) => ({ address, family })),
      ),
    );
}

async function expectNoSocket(promise: Promise<unknown>): Promise<void> {
  await expect(promise).rejects.toMatchObject({ code: expect.stringMatching(/^(address|url)-not-/) });
  expect(connections.count()).toBe(0);
  expect(visitors).toBe(0);
}

const forbidden: [string, string][] = [
  ["loopback", "127.0.0.1"],
  ["loopback elsewhere in 127/8", "127.9.9.9"],
  ["this host", "0.0.0.0"],
  ["private, 10/8", "10.0.0.1"],
  ["private, 172.16/12", "172.16.0.1"],
  ["private, 192.168/16", "192.168.0.1"],
  ["link-local, where clouds keep their secrets", "169.254.169.254"],
  ["carrier-grade NAT", "100.64.0.1"],
  ["multicast", "224.0.0.1"],
  ["broadcast", "255.255.255.255"],
];

const forbiddenIPv6: [string, string][] = [
  ["IPv6 loopback", "::1"],
  ["IPv6 link-local", "fe80::1"],
  ["IPv6 unique local", "fd00:ec2::254"],
  ["IPv4-mapped IPv6", "::ffff:127.0.0.1"],
  ["IPv4-mapped IPv6 in hexadecimal", "::ffff:7f00:1"],
  ["IPv4-compatible IPv6", "::127.0.0.1"],
  ["NAT64", "64:ff9b::7f00:1"],
  ["local-use NAT64", "64:ff9b:1::7f00:1"],
  ["6to4", "2002:7f00:1::"],
];

/** Spellings of a host that all mean 127.0.0.1. */
const spellings: [string, string][] = [
  ["decimal", "2130706433"],
  ["octal", "0177.0.0.01"],
  ["hexadecimal", "0x7f.1"],
  ["short", "127.1"],
  ["fullwidth digits", "１２７.０.０.１"],
  ["circled digits", "①②⑦.⓪.⓪.①"],
];

const inBrackets = ([name, address]: [string, string]): [string, string] => [name, `[${address}]`];

describe("guardedFetch opens no socket", () => {
  // @threat services: A host with a private or disguised address
  it.each([...forbidden, ...forbiddenIPv6.map(inBrackets), ...spellings])(
    "for a URL of a %s address",
    async (_, host) => {
      await expectNoSocket(guarded.fetch(`https://${host}:${port}/`));
    },
  );

  // @threat services: A name that resolves to a private address
  it.each(forbidden)("for a name that resolves to a %s address", async (_, address) => {
    dns.putAddresses("inside.example", address);
    await expectNoSocket(guarded.fetch(`https://inside.example:${port}/`));
  });

  // @threat services: A name that resolves to a private address
  it.each(forbiddenIPv6)("for a name whose AAAA record is a %s address", async (_, address) => {
    const overIPv6 = createGuardedFetch({ timeout: 1_000, resolve: resolveThrough(dns, 6) });
    dns.putAddresses("inside-v6.example", address);
    await expectNoSocket(overIPv6.fetch(`https://inside-v6.example:${port}/`));
    expect(dns.questions()).toContain("inside-v6.example");
    await overIPv6.close();
  });
});

describe("guardedFetch connects to the checked address:", () => {
  // @threat services: A name that resolves differently the second time
  it("resolves a name once and connects to that address even if the name server returns another one later", async () => {
    const local = createGuardedFetch({ allowLoopback: true, timeout: 1_000, resolve: resolveThrough(dns) });
    dns.putAddresses("rebinding.localhost", "127.0.0.1", "10.0.0.1");
    const url = `http://rebinding.localhost:${port}/`;
    const before = dns.questions().length;
    await expect(local.fetchDocument(url)).resolves.toMatchObject({ text: "{}" });
    expect(dns.questions().length - before).toBe(1);
    expect([connections.count(), visitors]).toEqual([1, 1]);
    await local.close();
    const again = createGuardedFetch({ allowLoopback: true, timeout: 1_000, resolve: resolveThrough(dns) });
    await expect(again.fetch(url)).rejects.toMatchObject({ code: "address-not-public" });
    expect([connections.count(), visitors]).toEqual([1, 1]);
    await again.close();
  });

  // @threat services: A name that resolves differently the second time
  it("opens no socket to this machine for a name that resolves differently the second time", async () => {
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

  it("opens no socket over plain http to a name below localhost that resolves to a public address", async () => {
    const local = createGuardedFetch({ allowLoopback: true, timeout: 1_000, resolve: resolveThrough(dns) });
    dns.putAddresses("public.localhost", "93.184.216.34");
    await expectNoSocket(local.fetch(`http://public.localhost:${port}/`));
    await local.close();
  });

  // Allow loopback, because the redirecting server is local.
  const elsewhere: [string, string][] = [
    ...forbidden.filter(([, address]) => !address.startsWith("127.")),
    ["IPv6 unique local", "[fd00:ec2::254]"],
    ["IPv4-mapped private", "[::ffff:10.0.0.1]"],
    ["NAT64 of a private", "[64:ff9b::a00:1]"],
    ["decimal private", "167772161"],
    ["octal private", "012.0.0.01"],
    ["private, behind a name,", "inside.example"],
  ];

  // @threat services: A redirect to a private address or another host
  it.each(elsewhere)("opens no second socket for a redirect to a %s address", async (_, host) => {
    dns.putAddresses("inside.example", "10.0.0.1");
    const url = await serveHttp((_request, response) =>
      response.writeHead(302, { location: `https://${host}:${port}/` }).end(),
    );
    const local = createGuardedFetch({ allowLoopback: true, timeout: 1_000, resolve: resolveThrough(dns) });
    const promise = local.fetch(url);
    await expect(promise).rejects.toMatchObject({ code: expect.stringMatching(/-not-(public|allowed)$/) });
    expect(connections.count()).toBe(1);
    expect(visitors).toBe(0);
    await local.close();
  });
});

describe("the URL of a did:web", () => {
  const known = [
    ...didVectors.canonical,
    ...didVectors.nonCanonical,
    ...didVectors.normalised.map(({ input }) => input),
    ...didVectors.refused.map(({ input }) => input),
    "did:web:host/path?",
    "did:web:127.0.0.1",
    "did:web:localhost%3A80%2F..%2F",
    "did:web:example.com%40127.0.0.1",
    "did:web:example.com%23.localhost",
    "did:web:[%3A%3A1]",
  ];
  const pieces = [
    "/",
    "?",
    "#",
    "@",
    "%2F",
    "%40",
    "%23",
    "%5C",
    "..",
    "[::1]",
    "127.0.0.1",
    "localhost",
    "%00",
    "。",
    ":",
    "%3A",
  ];
  const did = nearly(fc.constantFrom(...known), pieces);

  // @threat services: A DID that breaks out of a URL
  it("opens no socket to this machine for any DID and throws only InvalidDidError", async () => {
    // Resolve every name to this machine, so that any request would be detected.
    const everything: ResolveAddresses = (_host, _options, callback) =>
      callback(null, [{ address: "127.0.0.1", family: 4 }]);
    const fetcher = createGuardedFetch({ timeout: 1_000, resolve: everything });
    const ask = async (text: string) => {
      try {
        return await checkDidControl({
          did: text,
          controller: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
          guardedFetch: fetcher,
          chainClient: () => undefined,
          chainId: 1,
        });
      } catch (error) {
        if (error instanceof InvalidDidError) return undefined;
        throw error;
      }
    };
    await fc.assert(
      fc.asyncProperty(did, async (text) => {
        const control = await ask(text);
        if (control !== undefined) expect(control.outcome).toBe("fail");
        expect(connections.count()).toBe(0);
      }),
    );
    await fetcher.close();
  });

  // @threat services: A DID that breaks out of a URL
  it("has only the host, port and path of the DID", () => {
    fc.assert(
      fc.property(did, (text) => {
        const parsed = unlessRefused(() => parseDid(text), InvalidDidError);
        if (parsed?.method !== "web") return;
        const url = didDocumentUrl(parsed);
        if (!URL.canParse(url)) return;
        const { protocol, hostname, port: given, pathname, username, search, hash } = new URL(url);
        expect({ protocol, hostname, port: given, username, search, hash }).toEqual({
          protocol: "https:",
          hostname: parsed.host,
          port: parsed.port === undefined ? "" : String(parsed.port),
          username: "",
          search: "",
          hash: "",
        });
        expect(pathname.split("/").slice(1, -1)).toEqual(
          parsed.path.length > 0 ? parsed.path : [".well-known"],
        );
      }),
    );
  });
});

describe("a response beyond the limits", () => {
  // @threat services: An answer of 60 MB, or one that never ends
  it("of 60 MB is aborted after 1 MiB", async () => {
    const sent = { bytes: 0, closed: false };
    const piece = Buffer.alloc(64 * 1024, " ");
    const url = await serveHttp((_, response) => {
      response.setHeader("content-type", "application/json").setHeader("content-length", 60_000_000);
      response.on("close", () => {
        sent.closed = true;
      });
      const write = () => {
        while (!sent.closed && sent.bytes < 60_000_000) {
          sent.bytes += piece.length;
          if (!response.write(piece)) return void response.once("drain", write);
        }
      };
      write();
    });
    const local = createGuardedFetch({ allowLoopback: true });
    const did = `did:web:localhost%3A${new URL(url).port}`;
    const control = await checkDidControl({
      did,
      controller: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
      guardedFetch: local,
      chainClient: () => undefined,
      chainId: 31337,
      allowLoopback: true,
    });
    expect(control).toMatchObject({
      outcome: "fail",
      code: "did-document-unreachable",
      reason: expect.stringContaining("is larger than 1,048,576 bytes"),
    });
    // Allow for data in the system's buffers.
    expect(sent.bytes).toBeLessThan(20_000_000);
    await local.close();
  });
});
