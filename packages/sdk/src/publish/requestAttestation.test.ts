import { text } from "node:stream/consumers";
import { type Hex, recoverMessageAddress } from "viem";
import { parseSiweMessage } from "viem/siwe";
import { describe, expect, it } from "vitest";
import { deadOrigin, serveHttp } from "../../test/httpServer.ts";
import { testAccount } from "../../test/support/deployContracts.ts";
import { requestAttestation } from "./requestAttestation.ts";

const request = {
  did: "did:web:example.com",
  connectedAddress: "0x00000000000000000000000000000000000000a1",
  requiredSchemas: ["did-ownership"],
} as const;

const serveAnswer = (status: number, body: unknown) =>
  serveHttp((_, response) => response.writeHead(status, { "x-request-id": "r1" }).end(JSON.stringify(body)));

describe("requestAttestation", () => {
  it("posts the request and reads the answer", async () => {
    let received: unknown;
    const baseUrl = await serveHttp(async (message, response) => {
      received = [message.method, message.url, JSON.parse(await text(message))];
      response.end(JSON.stringify({ ok: true, status: "attested", attestations: [], txHashes: ["0x01"] }));
    });
    const answer = await requestAttestation({ baseUrl, ...request });
    expect(answer).toMatchObject({ ok: true, status: "attested", txHashes: ["0x01"], retryable: false });
    expect(received).toEqual(["POST", "/api/verify-and-attest", request]);
  });

  it("returns a refusal with the document to publish and each way that was tried", async () => {
    const ways = [{ way: "https://example.com/.well-known/did.json", reason: "There is none." }];
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

  it("signs a message for the site that it asked, where that attests to a wallet's holder alone", async () => {
    const account = testAccount(1);
    const connectedAddress = account.address;
    const received: Record<string, unknown>[] = [];
    const baseUrl = await serveHttp(async (message, response) => {
      if (message.url === "/api/nonce") {
        const nonce = { nonce: "abcdefgh12345678", chainId: 31337, expiresAt: "2099-01-01T00:00:00.000Z" };
        response.end(JSON.stringify({ ...nonce, domain: "evil.example", uri: "https://evil.example" }));
        return;
      }
      const body = JSON.parse(await text(message)) as Record<string, unknown>;
      received.push(body);
      const refusal = { ok: false, status: "failed", code: "wallet-proof-required" };
      response.end(JSON.stringify(body.siwe ? { ok: true, status: "attested", txHashes: [] } : refusal));
    });
    const refused = await requestAttestation({ baseUrl, ...request, connectedAddress });
    expect(refused).toMatchObject({ ok: false, code: "wallet-proof-required" });
    const signMessage = (message: string) => account.signMessage({ message });
    const answer = await requestAttestation({ baseUrl, ...request, connectedAddress, signMessage });
    expect(answer).toMatchObject({ ok: true, status: "attested" });
    const [siwe] = received.flatMap((body) => body.siwe ?? []) as [{ message: string; signature: Hex }];
    const { message, signature } = siwe;
    expect(await recoverMessageAddress({ message, signature })).toBe(connectedAddress);
    expect(parseSiweMessage(message)).toMatchObject({
      domain: new URL(baseUrl).host,
      uri: baseUrl,
      address: connectedAddress,
      chainId: 31337,
      nonce: "abcdefgh12345678",
    });
  });

  it("says that a pending answer may be asked for again", async () => {
    const baseUrl = await serveAnswer(202, { ok: false, status: "pending" });
    expect(await requestAttestation({ baseUrl, ...request })).toMatchObject({ ok: false, retryable: true });
  });

  it("throws a retryable error when nothing of the kind answers", async () => {
    const expected = { name: "ServiceUnavailableError", retryable: true };
    await expect(requestAttestation({ baseUrl: deadOrigin, ...request })).rejects.toMatchObject(expected);
    const baseUrl = await serveHttp((_, response) => response.end("<html>"));
    await expect(requestAttestation({ baseUrl, ...request })).rejects.toMatchObject(expected);
  });

  it("ends when its time is up", async () => {
    const baseUrl = await serveHttp(() => undefined);
    await expect(requestAttestation({ baseUrl, ...request, timeoutMs: 200 })).rejects.toMatchObject({
      name: "TimeLimitError",
    });
  });
});
