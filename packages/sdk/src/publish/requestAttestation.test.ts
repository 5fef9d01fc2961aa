import { text } from "node:stream/consumers";
import { testAccount } from "@app-registry/test-kit/deployContracts";
import { deadOrigin, serveHttp } from "@app-registry/test-kit/httpServer";
import { type Hex, recoverMessageAddress } from "viem";
import { parseSiweMessage } from "viem/siwe";
import { describe, expect, it } from "vitest";
import { controlStatement } from "./proveWallet.ts";
import { requestAttestation } from "./requestAttestation.ts";

const request = {
  did: "did:web:example.com",
  connectedAddress: "0x00000000000000000000000000000000000000a1",
  requiredSchemas: ["did-ownership"],
} as const;

const serveAnswer = (status: number, body: unknown) =>
  serveHttp((_, response) => response.writeHead(status, { "x-request-id": "r1" }).end(JSON.stringify(body)));

describe("requestAttestation", () => {
  it("sends the request and returns the response", async () => {
    let received: unknown;
    const baseUrl = await serveHttp(async (message, response) => {
      received = [message.method, message.url, JSON.parse(await text(message))];
      response.end(JSON.stringify({ ok: true, status: "attested", attestations: [], txHashes: ["0x01"] }));
    });
    const answer = await requestAttestation({ baseUrl, ...request });
    expect(answer).toMatchObject({ ok: true, status: "attested", txHashes: ["0x01"], retryable: false });
    expect(received).toEqual(["POST", "/api/verify-and-attest", request]);
  });

  it("returns a refusal with the document to publish and each failed attempt", async () => {
    const ways = [{ way: "https://example.com/.well-known/did.json", reason: "The document was not found." }];
    const txt = { name: "_did.example.com", record: "controller=did:pkh:eip155:1:0x…" };
    const publish = { url: ways[0]?.way, document: "{}", txt };
    const code = "did-document-missing";
    const baseUrl = await serveAnswer(422, { ok: false, status: "failed", code, ways, publish });
    expect(await requestAttestation({ baseUrl, ...request })).toMatchObject({
      ok: false,
      code,
      ways,
      publish: { url: publish.url, text: "{}", txt },
      requestId: "r1",
      retryable: false,
    });
  });

  it("returns the times from which control takes effect, a block ends and a wallet can be attested", async () => {
    const times = { controlsFrom: 1_800_000_000, blockedUntil: 1_800_000_001, attestableFrom: 1_800_000_002 };
    const baseUrl = await serveAnswer(200, { ok: false, status: "waiting", ...times });
    expect(await requestAttestation({ baseUrl, ...request })).toMatchObject(times);
  });

  describe("with a service that requires a signature of the wallet", () => {
    const account = testAccount(1);
    const connectedAddress = account.address;
    type Body = { did: string; siwe?: { message: string; signature: Hex } };

    /**
     * Starts a service that accepts the messages that `accepts` allows, with a wallet that records the signed messages.
     * `nonce` overrides fields of its nonces.
     */
    async function serveDemanding(
      accepts: (message: string, posts: number) => boolean = () => true,
      nonce: object = {},
    ) {
      const received: Body[] = [];
      let nonces = 0;
      const baseUrl = await serveHttp(async (message, response) => {
        if (message.url === "/api/nonce") {
          nonces += 1;
          const times = { issuedAt: "2098-12-31T23:50:00.000Z", expiresAt: "2099-01-01T00:00:00.000Z" };
          const evil = {
            domain: "evil.example",
            uri: "https://evil.example",
            statement: "Give it all away.",
          };
          response.end(
            JSON.stringify({
              nonce: `abcdefgh1234567${nonces}`,
              chainId: 31337,
              ...times,
              ...evil,
              ...nonce,
            }),
          );
          return;
        }
        const body = JSON.parse(await text(message)) as Body;
        received.push(body);
        const accepted = body.siwe && accepts(body.siwe.message, received.length);
        const code = body.siwe ? "wallet-proof-invalid" : "wallet-proof-required";
        const refusal = { ok: false, status: "failed", code };
        response.end(JSON.stringify(accepted ? { ok: true, status: "attested", txHashes: [] } : refusal));
      });
      const signed: string[] = [];
      const signMessage = (message: string) => {
        signed.push(message);
        return account.signMessage({ message });
      };
      const ask = (changes: object = {}) =>
        requestAttestation({ baseUrl, ...request, connectedAddress, signMessage, ...changes });
      return { baseUrl, received, signed, ask };
    }

    it("signs a message that names the DID and the site of the request", async () => {
      const { baseUrl, received, ask } = await serveDemanding();
      const refused = await ask({ signMessage: undefined });
      expect(refused).toMatchObject({ ok: false, code: "wallet-proof-required" });
      expect(await ask({ did: "did:web:EXAMPLE.com" })).toMatchObject({ ok: true, status: "attested" });
      const [siwe] = received.flatMap((body) => body.siwe ?? []) as [{ message: string; signature: Hex }];
      const { message, signature } = siwe;
      expect(await recoverMessageAddress({ message, signature })).toBe(connectedAddress);
      expect(parseSiweMessage(message)).toMatchObject({
        domain: new URL(baseUrl).host,
        uri: baseUrl,
        address: connectedAddress,
        chainId: 31337,
        nonce: "abcdefgh12345671",
        statement:
          "I ask this registry to attest that this wallet controls did:web:example.com. Signing costs nothing.",
        resources: ["did:web:example.com"],
        // The times of the service, which differ from this machine's clock.
        issuedAt: new Date("2098-12-31T23:50:00.000Z"),
        expirationTime: new Date("2099-01-01T00:00:00.000Z"),
      });
    });

    it("names a DID with a percent sign only in the resources of the message", () => {
      expect(controlStatement("did:web:localhost%3A3000")).toBe(
        "I ask this registry to attest that this wallet controls the DID listed under Resources. Signing costs nothing.",
      );
    });

    it("reuses the signature for later requests", async () => {
      const { received, signed, ask } = await serveDemanding();
      for (const requiredSchemas of [["did-ownership"], ["did-ownership"], ["data-hash"]])
        expect(await ask({ requiredSchemas })).toMatchObject({ ok: true });
      expect(signed).toHaveLength(1);
      expect(received.map(({ siwe }) => siwe !== undefined)).toEqual([false, true, true, true]);
    });

    it("signs once for two concurrent requests, and again for another DID or service", async () => {
      const { signed, ask } = await serveDemanding();
      await Promise.all([ask(), ask()]);
      expect(signed).toHaveLength(1);
      await ask({ did: "did:web:example.org" });
      expect(signed).toHaveLength(2);
      const other = await serveDemanding();
      await other.ask();
      expect(other.signed).toHaveLength(1);
    });

    it("signs once more if the service refuses the reused message", async () => {
      const { received, signed, ask } = await serveDemanding(
        (message, posts) => posts < 3 || message.includes("abcdefgh12345672"),
      );
      await ask();
      expect(await ask()).toMatchObject({ ok: true });
      expect(signed).toHaveLength(2);
      expect(received).toHaveLength(4);
    });

    it("returns the refusal of a new message without signing again", async () => {
      const { signed, ask } = await serveDemanding(() => false);
      expect(await ask()).toMatchObject({ ok: false, code: "wallet-proof-invalid" });
      expect(signed).toHaveLength(1);
    });

    it.each<[string, object]>([
      ["a refusal", { code: "rate-limited", retryable: true, nonce: undefined, chainId: undefined }],
      ["a nonce with a line break", { nonce: "abcdefgh\nURI: https://evil.example" }],
      ["a negative chain id", { chainId: -1 }],
      ["an infinite chain id", { chainId: "Infinity" }],
      ["invalid times", { issuedAt: "today", expiresAt: "never" }],
    ])("signs nothing for a service that responds with %s instead of a nonce", async (_, wrong) => {
      const { signed, ask } = await serveDemanding(undefined, wrong);
      await expect(ask()).rejects.toMatchObject({ name: "ServiceUnavailableError", retryable: true });
      expect(signed).toEqual([]);
    });

    it("requests a signature again after the person declined", async () => {
      const { ask } = await serveDemanding();
      const declined = () => Promise.reject(new Error("declined"));
      await expect(ask({ signMessage: declined })).rejects.toThrow("declined");
      expect(await ask()).toMatchObject({ ok: true });
    });
  });

  it("returns a pending response as retryable", async () => {
    const baseUrl = await serveAnswer(202, { ok: false, status: "pending" });
    expect(await requestAttestation({ baseUrl, ...request })).toMatchObject({ ok: false, retryable: true });
  });

  it("rejects with a retryable error if no registry responds", async () => {
    const expected = { name: "ServiceUnavailableError", retryable: true };
    await expect(requestAttestation({ baseUrl: deadOrigin, ...request })).rejects.toMatchObject(expected);
    const baseUrl = await serveHttp((_, response) => response.end("<html>"));
    await expect(requestAttestation({ baseUrl, ...request })).rejects.toMatchObject(expected);
  });

  it("rejects when time is up", async () => {
    const baseUrl = await serveHttp(() => undefined);
    await expect(requestAttestation({ baseUrl, ...request, timeoutMs: 200 })).rejects.toMatchObject({
      name: "TimeLimitError",
    });
  });
});
