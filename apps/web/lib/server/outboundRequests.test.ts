import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Discovery } from "@app-registry/outbound";
import { offchainLookupCode } from "@app-registry/test-kit/offchainLookup";
import { encodeAbiParameters, parseAbiParameters } from "viem";
import { mainnet } from "viem/chains";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readEnsName } from "./accounts/ensName.ts";
import { attestRoutes } from "./control/controlRoutes.ts";
import { importRoutes } from "./imports/importRoutes.ts";
import { recordRoutes } from "./records/recordRoutes.ts";
import type { Registry } from "./registry.ts";
import { attestingServer } from "./test/attestingServer.ts";
import { provideRegistry, wallet } from "./test/registryFixture.ts";
import { unlimitedApi } from "./test/serve.ts";

const fixture = provideRegistry();
/** Registry as configured in production: without loopback. */
let registry: Registry;
let api: ReturnType<typeof unlimitedApi>;
/** Server on the same machine that counts its requests. */
let inside: Server;
let port: number;
let visitors = 0;

beforeAll(async () => {
  inside = createServer((_, response) =>
    response.setHeader("content-type", "application/json").end('{"data":"0x"}'),
  );
  inside.on("connection", () => visitors++);
  // Listen on every address of this machine, including IPv6.
  await new Promise<void>((resolve) => inside.listen(0, resolve));
  ({ port } = inside.address() as AddressInfo);
  registry = fixture.registryWith({ ALLOW_LOOPBACK_DIDS: "false" });
  const { issuer } = attestingServer(registry);
  const routes = [importRoutes, recordRoutes].flatMap((create) => create(() => registry));
  api = unlimitedApi([...routes, ...attestRoutes({ issuer, proofs: () => undefined })]);
});
afterAll(() => void inside.close());
beforeEach(() => {
  visitors = 0;
});

const ask = async (path: string, init?: RequestInit) =>
  api.fetch(new Request(`https://registry.example/api/${path}`, init));
const post = (path: string, body: unknown) =>
  ask(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });

// packages/outbound tests every kind of address. Here, each route shows that it requests hosts through the guard.
// @threat services: A DID, host, name, redirect or record that leads to a private address
describe.each(["localhost", "127.0.0.1"])("a public server opens no connection to %s", (host) => {
  it.each(["", "https://", "http://"])("for an address to import that begins with %j", async (scheme) => {
    const kind = scheme ? undefined : "mcp";
    const response = await post("import", { input: `${scheme}${host}:${port}/mcp`, kind });
    expect(response.status).toBe(200);
    const { findings, looked } = (await response.json()) as Discovery;
    expect(findings).toEqual([]);
    expect(new Set(looked.map(({ outcome }) => outcome))).toEqual(new Set(["failed"]));
    expect(visitors).toBe(0);
  });

  it("for a data URL that is checked before a record names it", async () => {
    const checked = { url: `https://${host}:${port}/`, dataHash: `0x${"0".repeat(64)}`, algorithm: 0 };
    const response = await post("check-data-url", checked);
    expect(await response.json()).toEqual({ ok: false, reason: expect.any(String) });
    expect(visitors).toBe(0);
  });

  it("for the did.json of a DID to attest", async () => {
    const did = `did:web:${host}%3A${port}`;
    const response = await post("verify-and-attest", { did, connectedAddress: wallet.address });
    expect([400, 422]).toContain(response.status);
    expect(await response.json()).toMatchObject({ ok: false, status: "failed", txHashes: [] });
    expect(visitors).toBe(0);
  });

  it("for the dataUrl of a record, on any route", async () => {
    const dataUrl = `https://${host}:${port}/metadata.json`;
    const { did } = await fixture.register({ onChain: false, dataUrl });
    const served = await ask(`data-url/${did}/v/1.0.0`);
    expect(served.status).toBe(502);
    expect(await served.json()).toMatchObject({ code: "document-unreachable" });
    const app = await (await ask(`apps/${did}`)).json();
    expect(app).toMatchObject({ metadata: null, metadataProblem: { code: "document-unreachable" } });
    const attested = await post("verify-and-attest", {
      did,
      connectedAddress: wallet.address,
      requiredSchemas: ["data-hash"],
    });
    expect(await attested.json()).toMatchObject({ ok: false, code: "document-unreachable" });
    expect(visitors).toBe(0);
  });
});

// @threat services: A contract or ENS name that redirects its reader (EIP-3668)
it("a public server opens no connection to itself for the gateways of an account's ENS name", async () => {
  const resolver = mainnet.contracts.ensUniversalResolver.address;
  const answer = encodeAbiParameters(parseAbiParameters("string, address, address"), [
    "kept-elsewhere.eth",
    resolver,
    resolver,
  ]);
  // URLs for GET and POST.
  const urls = [`http://127.0.0.1:${port}/{sender}/{data}`, `http://localhost:${port}/latest/meta-data`];
  await fixture.chain.setCode({ address: resolver, bytecode: offchainLookupCode(resolver, urls, answer) });
  const lookup = { rpcUrl: fixture.rpcUrl, address: wallet.address };
  await expect(readEnsName({ ...lookup, guardedFetch: registry.guardedFetch })).rejects.toThrow();
  expect(visitors).toBe(0);
  // With loopback allowed, the same lookup succeeds.
  const { guardedFetch } = fixture.registry;
  expect(await readEnsName({ ...lookup, guardedFetch })).toBe("kept-elsewhere.eth");
  expect(visitors).toBeGreaterThan(0);
});
