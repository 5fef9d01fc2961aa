import { request as send } from "node:http";
import { text } from "node:stream/consumers";
import { toServerName } from "@app-registry/sdk";
import { testAccount } from "@app-registry/test-kit/deployContracts";
import { expect } from "vitest";
import { type ApiDocument, createAnswerCheck } from "./apiDocument.ts";
import type { ApiRequest, KnownValues } from "./apiRequests.ts";
import { type RegistryFixture, wallet } from "./registryFixture.ts";

/** Returns values that are registered, can be attested, or are rejected for a reason of their own. */
export async function knownValues(fixture: RegistryFixture): Promise<KnownValues> {
  const registered = [await fixture.register(), await fixture.register({ onChain: false })];
  const dids = registered.map(({ did }) => did);
  const claimable = fixture.host.did(wallet.address, testAccount(2).address);
  const did = [
    ...dids,
    claimable,
    ` ${claimable.replace("did:web:localhost", "DID:WEB:LocalHost.")}`,
    fixture.host.did(),
    `${claimable}:nothing`,
    "did:pkh:eip155:31337:0x00000000000000000000000000000000000000aa",
    "did:pkh:eip155:1:0x00000000000000000000000000000000000000aa",
    "did:web:127.0.0.1",
    "did:key:z6Mk",
  ];
  const { origin } = fixture.host;
  return {
    did,
    connectedAddress: [wallet.address, wallet.address.toLowerCase(), testAccount(2).address],
    url: [`${origin}${registered[0]?.path}`, "http://10.0.0.1/", "ftp://x/"],
    traits: ["api:rest", "api:rest,pay:x402", ","],
    versionedDid: [
      ...dids.flatMap((name) => [
        name,
        `${name}/v/1.0.0`,
        `${name}/v/1.0`,
        `${name}/v/9.9.9`,
        `${name}/v/256.0.0`,
      ]),
      claimable,
      "did:web:nobody.example/v/1.0.0",
      "did:web:a%2Fb/v/1",
    ],
    serverName: dids.map(toServerName),
    day: ["2026-11-24", "2026-13-40"],
    version: ["latest", "1.0.0", "9.9.9", "1.0"],
    updated_since: ["2026-01-01T00:00:00Z", "2026-01-01"],
    pointer: ["/image", "/screenshotUrls/0"],
    cursor: ["0", "chain:1", "x"],
    owner: [wallet.address],
    minVersion: ["1.0.0", "1.2", "300.0.0"],
  };
}

export type Answer = { status: number; type: string | null; headers: Record<string, unknown>; body: string };

/** Sends a request unmodified over the network. */
export function ask(port: number, { method, target, headers, body, chunked }: ApiRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const length = body === undefined || chunked ? {} : { "content-length": Buffer.byteLength(body) };
    const outgoing = send(
      { host: "127.0.0.1", port, method, path: target, headers: { ...headers, ...length }, agent: false },
      async (incoming) => {
        const type = incoming.headers["content-type"]?.split(";", 1)[0] ?? null;
        const { statusCode: status = 0 } = incoming;
        resolve({ status, type, headers: incoming.headers, body: await text(incoming) });
      },
    );
    // The server may reject a body for its size before reading all of it.
    outgoing.on("error", reject);
    if (body !== undefined) outgoing.write(body);
    outgoing.end();
  });
}

/** Returns false for targets whose dot segments leave the API, because this process serves no pages. */
export const staysInApi = ({ target }: ApiRequest) =>
  new URL(`http://localhost${target}`).pathname.startsWith("/api/");

/** Returns true for failures of routes that need the index, which is unavailable in this setup. */
const isExpectedOutage = ({ method, target }: ApiRequest, { status, body }: Answer) =>
  status === 503 &&
  /^\/api\/(search|suggest|export|live|ard)/.test(target) &&
  (method === "HEAD" || JSON.parse(body).code === "index-unavailable");

function checkUndocumented(
  { documented, method }: ApiRequest,
  { status, type, headers, body }: Answer,
): void {
  if (documented === undefined) expect(status).toBe(404);
  else if (method === "OPTIONS") expect(status).toBe(200);
  else if (method !== "HEAD" || status === 405) {
    expect(status).toBe(405);
    expect(headers.allow).toContain("OPTIONS");
  }
  if (method === "HEAD" || method === "OPTIONS") expect(body).toBe("");
  else expect(type).toBe("application/problem+json");
}

/** Creates a check of the rules that the OpenAPI document sets for every response. */
export function createApiCheck(document: ApiDocument): (request: ApiRequest, answer: Answer) => void {
  const check = createAnswerCheck(document);
  return (request, answer) => {
    const { documented, method } = request;
    // A response that caches share has no id of one request.
    const isShared = answer.status < 400 && String(answer.headers["cache-control"]).startsWith("public");
    if (isShared) expect(answer.headers["x-request-id"]).toBeUndefined();
    else expect(answer.headers["x-request-id"]).toMatch(/^[A-Za-z0-9._-]{8,64}$/);
    expect(answer.headers["x-content-type-options"]).toBe("nosniff");
    expect(answer.body).not.toMatch(/\bat .*\.[jt]s:\d+/);
    if (!isExpectedOutage(request, answer)) expect(answer.status, answer.body).toBeLessThan(500);
    if (documented !== undefined && document.paths[documented]?.[method.toLowerCase()]) {
      expect(check(documented, method, answer)).toBeUndefined();
    } else checkUndocumented(request, answer);
  };
}
