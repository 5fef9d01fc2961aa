import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { requestAttestation } from "@app-registry/sdk";
import { createTestClient, type Hex, http } from "viem";
import { hardhat } from "viem/chains";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testClients } from "../../../../../packages/sdk/test/support/deployContracts.ts";
import { freePort } from "../../../../../packages/sdk/test/support/freePort.ts";
import { attestingServer } from "../../../lib/server/test/attestingServer.ts";
import { type RegistryFixture, startRegistry, wallet } from "../../../lib/server/test/registryFixture.ts";
import { askIssuer } from "./askIssuer.ts";

let fixture: RegistryFixture;
let server: Server;

beforeAll(async () => {
  fixture = await startRegistry(await freePort());
  const { post } = attestingServer(fixture.registryWith({ ISSUER_MODE: "sign" }));
  server = createServer(async (request, response) => {
    const answer = await post(JSON.parse(await text(request)));
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
}, 90_000);
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await fixture.stop();
});

const ask = (did: string) => () =>
  requestAttestation({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    did,
    connectedAddress: wallet.address,
    requiredSchemas: ["did-ownership"],
  });

/** The publisher's wallet, and what the page is told. */
function carrying(sent?: Hex) {
  const told = { sent: [] as (Hex | undefined)[], notes: [] as string[], opened: 0 };
  return {
    told,
    client: fixture.publisher,
    account: wallet.address,
    async openSigner() {
      told.opened += 1;
      return fixture.publisher;
    },
    sent,
    onSent: (hash: Hex | undefined) => void told.sent.push(hash),
    onNote: (note: string) => void told.notes.push(note),
  };
}

describe("askIssuer, of an issuer that only signs, on a server that wants proof of the wallet", () => {
  it("has the wallet sign one message for a check that fails, for the check again and for all that follows", async () => {
    const proving = createServer(async (request, response) => {
      const answer =
        request.url === "/api/nonce"
          ? Response.json(await demanding.proofs?.issueNonce())
          : await demanding.post(JSON.parse(await text(request)));
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
    });
    await new Promise<void>((resolve) => proving.listen(0, "127.0.0.1", resolve));
    const baseUrl = `http://127.0.0.1:${(proving.address() as AddressInfo).port}`;
    const variables = { ISSUER_MODE: "sign", ISSUER_REQUIRE_SIWE: "true", PUBLIC_URL: baseUrl };
    const demanding = attestingServer(fixture.registryWith(variables));
    const did = fixture.host.did();
    const messages: string[] = [];
    const signMessage = (message: string) => {
      messages.push(message);
      return wallet.signMessage({ message });
    };
    const check = () =>
      requestAttestation({
        baseUrl,
        did,
        connectedAddress: wallet.address,
        requiredSchemas: ["did-ownership"],
        signMessage,
      });
    try {
      expect(await askIssuer(check, carrying())).toMatchObject({ code: "wallet-not-in-did-document" });
      fixture.host.name(did, wallet.address);
      expect(await askIssuer(check, carrying())).toMatchObject({ ok: true, status: "already-attested" });
      expect(messages).toEqual([expect.stringContaining(`\nResources:\n- ${did}`)]);
    } finally {
      proving.closeAllConnections();
      proving.close();
    }
  });
});

describe("askIssuer, of an issuer that only signs", () => {
  it("has the wallet send what was signed, in plain words, and asks again", async () => {
    const page = carrying();
    const answer = await askIssuer(ask(fixture.host.did(wallet.address)), page);
    expect(answer).toMatchObject({ ok: true, status: "already-attested" });
    expect(page.told.opened).toBe(1);
    expect(page.told.sent).toEqual([expect.stringMatching(/^0x/)]);
    expect(page.told.notes[0]).toMatch(/confirm: Bring the issuer's signed statement .* about [\d,]+ gas/);
  });

  it("waits after a reload for the transaction that was sent, and signs no other", async () => {
    const did = fixture.host.did(wallet.address);
    const chain = createTestClient({ chain: hardhat, mode: "hardhat", transport: http(fixture.rpcUrl) });
    await chain.setAutomine(false);
    try {
      const before = carrying();
      const closed = askIssuer(ask(did), before);
      await expect.poll(() => before.told.sent).toHaveLength(1);
      const [hash] = before.told.sent;
      const after = carrying(hash);
      const answer = askIssuer(ask(did), after);
      await expect.poll(() => after.told.sent).toEqual([hash]);
      await chain.mine({ blocks: 1 });
      expect(await answer).toMatchObject({ ok: true, status: "already-attested" });
      expect(after.told.opened).toBe(0);
      await closed;
    } finally {
      await chain.setAutomine(true);
    }
  });

  it("sends anew when what was sent had no effect", async () => {
    const did = fixture.host.did(wallet.address);
    const page = carrying();
    const { publicClient, walletClient } = testClients(fixture.rpcUrl, wallet);
    const { ResolverWithStore } = fixture.registry.deployment.contracts;
    const data = "0x00000000";
    const hash = await walletClient
      .sendTransaction({ to: ResolverWithStore.address, data, gas: 100_000n })
      .catch(async () => (await publicClient.getBlock()).transactions[0] as Hex);
    const failed = carrying(hash);
    await expect(askIssuer(ask(did), failed)).rejects.toMatchObject({ name: "TransactionRevertedError" });
    expect(failed.told.sent).toEqual([hash, undefined]);
    expect(await askIssuer(ask(did), page)).toMatchObject({ ok: true });
  });

  it("asks the wallet for nothing when the issuer refuses", async () => {
    const page = carrying();
    const answer = await askIssuer(ask(fixture.host.did()), page);
    expect(answer).toMatchObject({ ok: false, code: "wallet-not-in-did-document" });
    expect(page.told).toEqual({ sent: [], notes: [], opened: 0 });
  });
});
