import { createServer, type Server, type ServerOptions } from "node:https";
import type { AddressInfo } from "node:net";
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from "node:tls";
import { createGuardedFetch } from "@app-registry/outbound";
import { type CertificateExtension, generate } from "selfsigned";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkDidControl } from "./checkDidControl.ts";

const guardedFetch = createGuardedFetch({ allowLoopback: true, timeout: 5_000 });
const day = 86_400_000;
const wallet = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const trusted = getCACertificates("default");
const servers: Server[] = [];

type Certificate = { key: string; cert: string };
let authority: Certificate;
let stranger: Certificate;

const createAuthority = (name: string) =>
  create(name, [
    { name: "basicConstraints", cA: true, critical: true },
    { name: "keyUsage", keyCertSign: true, cRLSign: true, critical: true },
  ]);

async function create(
  name: string,
  extensions: CertificateExtension[],
  options: { ca?: Certificate; from?: number; until?: number } = {},
): Promise<Certificate> {
  const { ca, from = -day, until = day } = options;
  const { private: key, cert } = await generate([{ name: "commonName", value: name }], {
    keyType: "ec",
    algorithm: "sha256",
    notBeforeDate: new Date(Date.now() + from),
    notAfterDate: new Date(Date.now() + until),
    extensions,
    ...(ca ? { ca } : {}),
  });
  return { key, cert };
}

/** Creates a certificate for a host, by default of the trusted authority. */
const forHost = (host: string, options: { ca?: Certificate; from?: number; until?: number } = {}) =>
  create(
    host,
    [
      { name: "subjectAltName", altNames: [{ type: 2, value: host }] },
      { name: "extKeyUsage", serverAuth: true },
    ],
    { ca: authority, ...options },
  );

/** Starts an HTTPS server on loopback. Returns the DID that it serves, without a document. */
async function serve(options: ServerOptions, onConnection: (socket: TLSSocket) => unknown = () => undefined) {
  const server = createServer(options, (_, response) =>
    response.writeHead(200, { "content-type": "application/json", connection: "close" }).end("{}"),
  );
  servers.push(server.on("secureConnection", onConnection));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { did: `did:web:localhost%3A${port}`, url: `https://localhost:${port}/` };
}

/** Omits allowLoopback for the check, so that the document's URL is https. Only the fetcher allows loopback. */
const check = ({ did }: { did: string }) =>
  checkDidControl({ did, controller: wallet, guardedFetch, chainClient: () => undefined, chainId: 31337 });

beforeAll(async () => {
  [authority, stranger] = await Promise.all([
    createAuthority("Trusted Root"),
    createAuthority("Another Root"),
  ]);
  setDefaultCACertificates([...trusted, authority.cert]);
});
afterAll(async () => {
  setDefaultCACertificates(trusted);
  await guardedFetch.close();
  for (const server of servers) server.close();
});

describe("a did.json over HTTPS", () => {
  it("is read if the certificate is valid for the host and its authority is trusted", async () => {
    expect(await check(await serve(await forHost("localhost")))).toMatchObject({
      code: "did-document-invalid",
    });
  });

  it.each([
    ["self-signed", "is self-signed or from a private authority", () => create("localhost", [])],
    [
      "of an untrusted authority",
      "doesn't lead to a trusted certificate authority. Serve the full chain",
      () => forHost("localhost", { ca: stranger }),
    ],
    ["expired", "has expired. Renew it", () => forHost("localhost", { from: -2 * day, until: -day })],
    ["not valid yet", "is not valid yet", () => forHost("localhost", { from: day, until: 2 * day })],
    ["made out to another host", "was issued for a different host name", () => forHost("other.example")],
  ])(
    // @threat services: A did.json of another DID or host, or a key that it marks as unusable
    "is rejected with instructions if the certificate is %s",
    async (_, words, certificate) => {
      expect(await check(await serve(await certificate()))).toMatchObject({
        outcome: "fail",
        code: "did-document-unreachable",
        reason: expect.stringMatching(
          new RegExp(`^The HTTPS certificate of localhost:\\d+ .*${words}.* \\([A-Z_]+\\)\\.$`),
        ),
      });
    },
  );

  it("is rejected if the server supports only an outdated version of TLS", async () => {
    const options = { ...(await forHost("localhost")), maxVersion: "TLSv1.1", minVersion: "TLSv1" } as const;
    expect(await check(await serve({ ...options, ciphers: "DEFAULT@SECLEVEL=0" }))).toMatchObject({
      outcome: "fail",
      reason: expect.stringContaining("doesn't support HTTPS on that port, or only an outdated TLS version"),
    });
  });

  // @threat services: A DID, host, name, redirect or record that leads to a private address
  it("is requested without a TLS ticket of an earlier connection", async () => {
    const resumed: boolean[] = [];
    const options = { ...(await forHost("localhost")), maxVersion: "TLSv1.2" } as const;
    const { url } = await serve(options, (socket) => resumed.push(socket.isSessionReused()));
    for (let request = 0; request < 3; request++) await guardedFetch.fetchDocument(url);
    expect(resumed).toEqual([false, false, false]);
  });
});
