import type { Pool } from "pg";
import { parseAbi } from "viem";
import { createSiweMessage } from "viem/siwe";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  deployContract,
  testAccount,
  testClients,
} from "../../../../../packages/sdk/test/support/deployContracts.ts";
import { startFaultyRpc } from "../../../../../packages/sdk/test/support/faultyRpc.ts";
import { type PostgresServer, startPostgres } from "../../../../../packages/sdk/test/support/postgres.ts";
import { attestingServer } from "../test/attestingServer.ts";
import { type RegistryFixture, startRegistry, wallet } from "../test/registryFixture.ts";
import { createNonceStore } from "./nonceStore.ts";

const publicUrl = "http://localhost:18819";
const connectedAddress = wallet.address;
const inAnHour = () => new Date(Date.now() + 3_600_000);

let fixture: RegistryFixture;
let postgres: PostgresServer;
let pool: Pool;
beforeAll(async () => {
  [fixture, postgres] = await Promise.all([startRegistry(18_818), startPostgres()]);
  pool = postgres.connect();
}, 120_000);
afterAll(async () => {
  await pool.end();
  await Promise.all([fixture.stop(), postgres.stop()]);
});

const demanding = (variables: Record<string, string> = {}) => {
  const server = attestingServer(
    fixture.registryWith({ ISSUER_REQUIRE_SIWE: "true", PUBLIC_URL: publicUrl, ...variables }),
  );
  if (!server.proofs) throw new Error("it wants no proofs");
  return { ...server, proofs: server.proofs };
};
type Server = ReturnType<typeof demanding>;
type Message = Parameters<typeof createSiweMessage>[0];

async function sign(server: Server, changes: Partial<Message> = {}, signer = wallet) {
  const { nonce, chainId, expiresAt } = await server.proofs.issueNonce();
  const message = createSiweMessage({
    address: connectedAddress,
    chainId,
    domain: "localhost:18819",
    uri: publicUrl,
    nonce,
    expirationTime: new Date(expiresAt),
    version: "1",
    ...changes,
  });
  return { message, signature: await signer.signMessage({ message }) };
}

describe("POST /api/verify-and-attest with ISSUER_REQUIRE_SIWE", () => {
  it("attests to who signed a message with a nonce of this server", async () => {
    const server = demanding();
    const did = fixture.host.did(connectedAddress);
    const without = await server.post({ did, connectedAddress });
    expect(without.status).toBe(403);
    expect(await without.json()).toMatchObject({
      ok: false,
      status: "failed",
      code: "wallet-proof-required",
    });
    const proven = await server.post({ did, connectedAddress, siwe: await sign(server) });
    expect(await proven.json()).toMatchObject({ ok: true, status: "attested" });
  });

  it("takes a message once", async () => {
    const server = demanding();
    const did = fixture.host.did(connectedAddress);
    const siwe = await sign(server);
    expect((await server.post({ did, connectedAddress, siwe })).status).toBe(200);
    const again = await server.post({ did, connectedAddress, siwe });
    expect(again.status).toBe(403);
    expect(await again.json()).toMatchObject({
      code: "wallet-proof-invalid",
      detail: expect.stringContaining("nonce"),
    });
  });

  it.each<[string, Partial<Message>]>([
    ["another site's domain", { domain: "evil.example" }],
    ["another site's URI", { uri: "https://evil.example" }],
    ["another chain", { chainId: 1 }],
    ["another wallet", { address: testAccount(2).address }],
    ["a nonce that was never issued", { nonce: "0123456789abcdef0" }],
    ["an end that has passed", { expirationTime: new Date(Date.now() - 1_000) }],
    ["no end", { expirationTime: undefined as unknown as Date }],
    ["a start that is still to come", { notBefore: inAnHour() }],
  ])("refuses a message with %s, before the chain or any host is asked", async (_, changes) => {
    const rpc = await startFaultyRpc(fixture.rpcUrl);
    let calls = 0;
    rpc.break(() => {
      calls += 1;
      return "pass";
    });
    const server = demanding({ RPC_URL: rpc.url });
    const asked = fixture.host.requests().length;
    const did = fixture.host.did(connectedAddress);
    const response = await server.post({ did, connectedAddress, siwe: await sign(server, changes) });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ code: "wallet-proof-invalid", txHashes: [] });
    expect(calls).toBe(0);
    expect(fixture.host.requests()).toHaveLength(asked);
    await rpc.close();
  });

  it("refuses another wallet's signature, and text that is no message", async () => {
    const server = demanding();
    const did = fixture.host.did(connectedAddress);
    const forged = await sign(server, {}, testAccount(2));
    for (const siwe of [forged, { message: "hello", signature: "0x" }]) {
      const response = await server.post({ did, connectedAddress, siwe });
      expect(await response.json()).toMatchObject({ status: "failed", code: "wallet-proof-invalid" });
    }
  });

  it("attests to a contract account by what its contract takes for its signature now (ERC-1271)", async () => {
    const [signer, next] = [testAccount(3), testAccount(4)];
    const account = await deployContract(fixture.rpcUrl, "mocks/SignatureWallet", [signer.address]);
    const server = demanding();
    const asked = { did: fixture.host.did(account), connectedAddress: account };
    const signedBy = async (holder: typeof signer) => ({
      ...asked,
      siwe: await sign(server, { address: account }, holder),
    });
    const forged = await server.post(await signedBy(next));
    expect(forged.status).toBe(403);
    expect(await forged.json()).toMatchObject({ code: "wallet-proof-invalid", txHashes: [] });
    const proven = await server.post(await signedBy(signer));
    expect(await proven.json()).toMatchObject({ ok: true, status: "attested" });

    const { walletClient, publicClient } = testClients(fixture.rpcUrl, signer);
    const hash = await walletClient.writeContract({
      address: account,
      abi: parseAbi(["function setSigner(address)"]),
      functionName: "setSigner",
      args: [next.address],
    });
    await publicClient.waitForTransactionReceipt({ hash });
    expect((await server.post(await signedBy(signer))).status).toBe(403);
    expect((await server.post(await signedBy(next))).status).toBe(200);
  });

  it("answers 503 while the chain that checks a signature is away", async () => {
    const server = demanding({ RPC_URL: "http://127.0.0.1:18821" });
    const did = fixture.host.did(connectedAddress);
    const response = await server.post({ did, connectedAddress, siwe: await sign(server) });
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ code: "chain-unavailable", retryable: true });
  });
});

describe.each<[string, () => Pool | undefined]>([
  ["memory", () => undefined],
  ["PostgreSQL", () => pool],
])("nonces in %s", (_, poolOf) => {
  it("are each good once, also for two requests at once", async () => {
    const store = createNonceStore(poolOf());
    const { nonce } = await store.issue();
    const taken = await Promise.all([store.take(nonce), store.take(nonce), store.take("never")]);
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect(taken[2]).toBe(false);
  });
});
