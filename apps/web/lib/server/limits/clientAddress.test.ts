import { once } from "node:events";
import { createServer, type Server, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { installRequestNormalizer } from "../incomingRequests.ts";
import { clientAddress, getSite, UNKNOWN_CLIENT } from "./clientAddress.ts";

const forwarded = (value?: string) =>
  new Request("http://x/", { headers: value ? { "x-forwarded-for": value } : {} });

describe("clientAddress", () => {
  it("uses the entry of the outermost trusted proxy, whatever the client wrote before it", () => {
    expect(clientAddress(forwarded("203.0.113.9"), 1)).toBe("203.0.113.9");
    expect(clientAddress(forwarded("1.1.1.1, 203.0.113.9"), 1)).toBe("203.0.113.9");
    expect(clientAddress(forwarded("1.1.1.1, 203.0.113.9, 10.0.0.1"), 2)).toBe("203.0.113.9");
  });

  it("counts an IPv6 network, and all forms of an IPv4 address, as one client", () => {
    const network = clientAddress(forwarded("2001:db8:1:2::1"), 1);
    expect(clientAddress(forwarded("2001:db8:1:2:ffff::9"), 1)).toBe(network);
    expect(clientAddress(forwarded("2001:db8:1:3::1"), 1)).not.toBe(network);
    expect(clientAddress(forwarded("::ffff:203.0.113.9"), 1)).toBe("203.0.113.9");
  });

  // @threat services: A picture that stops the web app
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

  it("trusts no header by default", () => {
    expect(clientAddress(forwarded("203.0.113.9"), 0)).toBe(UNKNOWN_CLIENT);
  });
});

describe("installRequestNormalizer", () => {
  let server: Server;
  let names: string[] = [];

  beforeAll(async () => {
    installRequestNormalizer();
    server = createServer((incoming, response) => {
      names = Object.keys(incoming.headers);
      const headers = new Headers(incoming.headers as Record<string, string>);
      response.end([0, 1].map((proxies) => clientAddress({ headers }, proxies)).join(" "));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
  });
  afterAll(() => void server.close());

  const ask = (headers: Record<string, string>) =>
    new Promise<string>((resolve, reject) => {
      const { port } = server.address() as AddressInfo;
      send({ host: "127.0.0.1", port, headers, agent: false }, (response) => {
        response.setEncoding("utf8").on("data", resolve);
      })
        .on("error", reject)
        .end();
    });

  it("passes on the socket's address, which client headers cannot change", async () => {
    expect(await ask({})).toBe("127.0.0.1 127.0.0.1");
    const learnt = names.find((name) => name.startsWith("x-socket-address-")) ?? "";
    expect(learnt).not.toBe("");
    expect(await ask({ "x-forwarded-for": "203.0.113.9", [learnt]: "198.51.100.7" })).toBe(
      "127.0.0.1 203.0.113.9",
    );
  });
});
