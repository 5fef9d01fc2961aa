import { type CreateGuardedFetchOptions, createGuardedFetch } from "@app-registry/outbound";
import { didDocumentUrl, InvalidDidError, parseDid } from "@app-registry/sdk";
import { nearly, unlessRefused } from "@app-registry/test-kit/arbitraries";
import { countTcpConnections } from "@app-registry/test-kit/tcpConnections";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import didVectors from "../../../sdk/test/vectors/did.json" with { type: "json" };
import { checkDidControl } from "./checkDidControl.ts";

type ResolveAddresses = NonNullable<CreateGuardedFetchOptions["resolve"]>;

let connections: ReturnType<typeof countTcpConnections>;
beforeEach(() => {
  connections = countTcpConnections();
});
afterEach(() => connections.stop());

describe("the URL of a did:web", () => {
  const known = [
    ...didVectors.canonical,
    ...didVectors.nonCanonical,
    ...didVectors.normalized.map(({ input }) => input),
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

  // @threat services: A DID, host, name, redirect or record that leads to a private address
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

  // @threat services: A DID, host, name, redirect or record that leads to a private address
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
