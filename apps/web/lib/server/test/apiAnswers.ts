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

type Answer = { status: number; type: string | null; headers: Record<string, string>; body: string };

/** Returns true for failures of routes that need the index, which is unavailable in this setup. */
const isExpectedOutage = ({ target }: ApiRequest, { status, body }: Answer) =>
  status === 503 &&
  /^\/api\/(search|suggest|export|live|ard|lookup|accounts)/.test(target) &&
  JSON.parse(body).code === "index-unavailable";

/** Creates a check of the rules that the OpenAPI document sets for every response. */
export function createApiCheck(document: ApiDocument): (request: ApiRequest, answer: Answer) => void {
  const check = createAnswerCheck(document);
  return (request, answer) => {
    const { documented, method } = request;
    // A response that caches share has no id of one request.
    const isShared = answer.status < 400 && answer.headers["cache-control"]?.startsWith("public");
    if (isShared) expect(answer.headers["x-request-id"]).toBeUndefined();
    else expect(answer.headers["x-request-id"]).toMatch(/^[A-Za-z0-9._-]{8,64}$/);
    expect(answer.headers["x-content-type-options"]).toBe("nosniff");
    expect(answer.body).not.toMatch(/\bat .*\.[jt]s:\d+/);
    if (!isExpectedOutage(request, answer)) expect(answer.status, answer.body).toBeLessThan(500);
    expect(check(documented, method, answer)).toBeUndefined();
  };
}
