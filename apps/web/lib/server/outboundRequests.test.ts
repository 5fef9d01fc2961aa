import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Discovery } from "@app-registry/outbound";
import { controlStatement } from "@app-registry/sdk";
import { offchainLookupCode } from "@app-registry/test-kit/offchainLookup";
import {
  concat,
  createTestClient,
  encodeAbiParameters,
  http,
  numberToHex,
  parseAbiParameters,
  serializeErc8010Signature,
} from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { hardhat, mainnet } from "viem/chains";
import { createSiweMessage } from "viem/siwe";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readEnsName } from "./accounts/ensName.ts";
import { attestRoutes } from "./control/controlRoutes.ts";
import { createWalletProofs } from "./control/walletProof.ts";
import { createApi } from "./http/createApi.ts";
import { importRoutes } from "./imports/importRoutes.ts";
import { recordRoutes } from "./records/recordRoutes.ts";
import { attestingServer } from "./test/attestingServer.ts";
import { type RegistryFixture, startRegistry, wallet } from "./test/registryFixture.ts";

/** Routes that request user-supplied hosts, configured as in production: without loopback. */
let fixture: RegistryFixture;
let api: ReturnType<typeof createApi>;
const origin = "https://registry.example";
/** Server on the same machine that counts its requests. */
let inside: Server;
let insidePort: number;
let visitors = 0;

beforeAll(async () => {
  inside = createServer((_, response) =>
    response.setHeader("content-type", "application/json").end('{"data":"0x"}'),
  );
  inside.on("connection", () => visitors++);
  // Listen on every address of this machine, including IPv6.
  await new Promise<void>((resolve) => inside.listen(0, resolve));
  insidePort = (inside.address() as AddressInfo).port;
  fixture = await startRegistry();
  const registry = fixture.registryWith({ ALLOW_LOOPBACK_DIDS: "false" });
  const { issuer } = attestingServer(registry);
  const routes = [importRoutes, recordRoutes].flatMap((create) => create(() => registry));
  const limits = { consume: async () => undefined, clientAddress: () => "" };
  api = createApi([...routes, ...attestRoutes({ issuer, proofs: () => undefined })], () => limits);
});
afterAll(async () => {
  inside.close();
  await fixture.stop();
});
beforeEach(() => {
  visitors = 0;
});

const ask = async (path: string, init?: RequestInit) => api.fetch(new Request(`${origin}/api/${path}`, init));
const post = (path: string, body: unknown) =>
  ask(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });

const setCode = (address: `0x${string}`, bytecode: `0x${string}`) =>
  createTestClient({ chain: hardhat, mode: "hardhat", transport: http(fixture.rpcUrl) }).setCode({
    address,
    bytecode,
  });

/** URLs of an internal service, for GET and POST. */
const insideUrls = () => [
  `http://127.0.0.1:${insidePort}/{sender}/{data}`,
  `http://localhost:${insidePort}/latest/meta-data`,
];

const hosts = ["localhost", "127.0.0.1"];
const urls = hosts.flatMap((host) => [`https://${host}`, `http://${host}`]);

// @threat services: A DID, host, name, redirect or record that leads to a private address
describe("a public server opens no connection inside its own network", () => {
  it("for a service URL or domain to import", async () => {
    for (const url of [...urls, ...hosts]) {
      const kind = url.startsWith("http") ? undefined : "mcp";
      const response = await post("import", { input: `${url}:${insidePort}/mcp`, kind });
      expect(response.status, url).toBe(200);
      const { findings, looked } = (await response.json()) as Discovery;
      expect(findings, url).toEqual([]);
      expect(looked.length, url).toBeGreaterThan(0);
      expect(new Set(looked.map(({ outcome }) => outcome)), url).toEqual(new Set(["failed"]));
    }
    expect(visitors).toBe(0);
  });

  it("for a data URL that is checked before a record names it", async () => {
    const dataHash = `0x${"0".repeat(64)}`;
    for (const host of hosts) {
      const url = `https://${host}:${insidePort}/`;
      const response = await post("check-data-url", { url, dataHash, algorithm: 0 });
      expect(await response.json(), url).toEqual({ ok: false, reason: expect.any(String) });
    }
    expect(visitors).toBe(0);
  });

  it("for the did.json of a DID to attest", async () => {
    for (const host of hosts) {
      const did = `did:web:${host.replaceAll(":", "%3A")}%3A${insidePort}`;
      const response = await post("verify-and-attest", { did, connectedAddress: wallet.address });
      expect([400, 422], did).toContain(response.status);
      expect(await response.json()).toMatchObject({ ok: false, status: "failed", txHashes: [] });
    }
    expect(visitors).toBe(0);
  });

  it("for the dataUrl of a record, on any route", async () => {
    for (const url of ["https://localhost", "http://127.0.0.1"]) {
      const { did } = await fixture.register({
        onChain: false,
        dataUrl: `${url}:${insidePort}/metadata.json`,
      });
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
    }
    expect(visitors).toBe(0);
  });

  // @threat services: A contract or ENS name that redirects its reader (EIP-3668)
  it("for URLs that a contract redirects its reader to (EIP-3668)", async () => {
    const contract = "0x00000000000000000000000000000000000c0de1";
    await setCode(contract, offchainLookupCode(contract, insideUrls()));
    const did = `did:pkh:eip155:31337:${contract}`;
    const response = await post("verify-and-attest", { did, connectedAddress: wallet.address });
    expect(visitors).toBe(0);
    expect(await response.json()).toMatchObject({ ok: false, code: "contract-owner-unknown" });
  });

  // @threat services: A contract or ENS name that redirects its reader (EIP-3668)
  it("for URLs that a wallet's code redirects the signature's reader to (ERC-8010)", async () => {
    const account = privateKeyToAccount(generatePrivateKey());
    const delegate = "0x00000000000000000000000000000000000c0de2";
    await setCode(delegate, offchainLookupCode(account.address, insideUrls()));
    await setCode(account.address, concat(["0xef0100", delegate]));
    const registry = fixture.registryWith({ ISSUER_REQUIRE_SIWE: "true", PUBLIC_URL: origin });
    const proofs = createWalletProofs(registry);
    const did = "did:web:example.com";
    const message = createSiweMessage({
      address: account.address,
      chainId: 31337,
      domain: new URL(origin).host,
      nonce: (await proofs?.issueNonce())?.nonce ?? "",
      uri: origin,
      version: "1",
      issuedAt: new Date(),
      expirationTime: new Date(Date.now() + 300_000),
      statement: controlStatement(did),
      resources: [did],
    });
    const authorization = await account.signAuthorization({ address: delegate, chainId: 31337, nonce: 0 });
    const signature = serializeErc8010Signature({
      authorization,
      signature: numberToHex(1, { size: 65 }),
    });
    const check = proofs?.check({ message, signature }, { dids: [did], address: account.address });
    await expect(check).rejects.toMatchObject({
      code: "wallet-proof-invalid",
      message: "The signature doesn't match the wallet.",
    });
    expect(visitors).toBe(0);
  });

  // @threat services: A contract or ENS name that redirects its reader (EIP-3668)
  it("for the gateways of an account's ENS name (EIP-3668)", async () => {
    const resolver = mainnet.contracts.ensUniversalResolver.address;
    const answer = encodeAbiParameters(parseAbiParameters("string, address, address"), [
      "kept-elsewhere.eth",
      resolver,
      resolver,
    ]);
    await setCode(resolver, offchainLookupCode(resolver, insideUrls(), answer));
    const lookup = { rpcUrl: fixture.rpcUrl, address: wallet.address };
    const { guardedFetch } = fixture.registryWith({ ALLOW_LOOPBACK_DIDS: "false" });
    await expect(readEnsName({ ...lookup, guardedFetch })).rejects.toThrow();
    expect(visitors).toBe(0);
    // With loopback allowed, the same lookup succeeds.
    const { guardedFetch: local } = fixture.registryWith({});
    expect(await readEnsName({ ...lookup, guardedFetch: local })).toBe("kept-elsewhere.eth");
    expect(visitors).toBeGreaterThan(0);
  });
});
