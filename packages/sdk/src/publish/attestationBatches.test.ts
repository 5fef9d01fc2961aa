import { text } from "node:stream/consumers";
import { testAccount } from "@app-registry/test-kit/deployContracts";
import { serveHttp } from "@app-registry/test-kit/httpServer";
import { describe, expect, it } from "vitest";
import { createAttestationBatches } from "./requestAttestation.ts";

type Result = { httpStatus: number; retryAfter?: number; response: object };

const attested: Result = { httpStatus: 200, response: { ok: true, status: "attested", txHashes: [] } };
const refuse = (httpStatus: number, code: string, retryAfter?: number): Result => ({
  httpStatus,
  ...(retryAfter !== undefined && { retryAfter }),
  response: { ok: false, status: "failed", code, retryable: retryAfter !== undefined },
});
const limited = refuse(429, "rate-limited", 1);

/** Serves batches, and requests attestations for services of a host from it. */
async function serveBatches(
  answer: (did: string, batch: number) => Result,
  refusal?: (batch: number) => boolean,
) {
  const batches: string[][] = [];
  const baseUrl = await serveHttp(async (request, response) => {
    const { dids } = JSON.parse(await text(request)) as { dids: string[] };
    batches.push(dids);
    if (refusal?.(batches.length)) {
      response.writeHead(429, { "retry-after": "1" }).end(JSON.stringify(limited.response));
      return;
    }
    const results = dids.map((did) => ({ did, ...answer(did, batches.length) }));
    response.end(JSON.stringify({ results }));
  });
  let busy = 0;
  const waits: number[] = [];
  const { requestAttestation, flush } = createAttestationBatches(
    () => busy,
    (seconds) => waits.push(seconds),
  );
  const connectedAddress = testAccount(1).address;
  const requiredSchemas = ["did-ownership"] as const;
  const ask = (dids: string[]) => {
    busy += dids.length;
    return Promise.all(
      dids.map(async (did) => {
        const answer = await requestAttestation({ baseUrl, did, connectedAddress, requiredSchemas });
        busy -= 1;
        flush();
        return answer;
      }),
    );
  };
  return { batches, waits, ask };
}

const newDids = (count: number, host = "example.com") =>
  Array.from({ length: count }, (_, index) => `did:web:${host}:service-${index}`);

describe("createAttestationBatches", () => {
  it("sends full batches of each host, and partial ones when nobody else can join", async () => {
    const { batches, ask } = await serveBatches(() => attested);
    const answers = await ask([...newDids(230), ...newDids(20, "example.org")]);
    expect(answers.every(({ ok }) => ok)).toBe(true);
    expect(batches.map(({ length }) => length).sort()).toEqual([100, 100, 20, 30]);
    for (const dids of batches) expect(new Set(dids.map((did) => did.split(":")[2])).size).toBe(1);
  });

  it("sends fewer long DIDs, so that they fit into a body", async () => {
    const { batches, ask } = await serveBatches(() => attested);
    await ask(newDids(100, `${"a".repeat(60)}.${"b".repeat(60)}.example`));
    expect(Math.max(...batches.map(({ length }) => length))).toBeLessThan(60);
  });

  it("waits when the service refuses a batch or some of its DIDs for a time", async () => {
    const dids = newDids(4);
    const { batches, waits, ask } = await serveBatches(
      (did, batch) => (batch === 2 && did.endsWith("3") ? limited : attested),
      (batch) => batch === 1,
    );
    expect((await ask(dids)).every(({ ok }) => ok)).toBe(true);
    expect(batches).toEqual([dids, dids, dids.slice(3)]);
    expect(waits).toEqual([1, 1]);
  });

  it("sends nothing to a host until its limit allows it", async () => {
    const dids = newDids(250);
    const { batches, waits, ask } = await serveBatches(
      () => attested,
      (batch) => batch <= 2,
    );
    expect((await ask(dids)).every(({ ok }) => ok)).toBe(true);
    expect(batches.map(({ length }) => length)).toEqual([100, 100, 100, 100, 50]);
    expect(waits).toEqual([1, 1]);
  });

  it("requests a pending attestation again", async () => {
    const pending = {
      httpStatus: 202,
      retryAfter: 1,
      response: { ok: false, status: "pending", txHashes: [] },
    };
    const { waits, ask } = await serveBatches((_, batch) => (batch === 1 ? pending : attested));
    expect((await ask(newDids(1)))[0]).toMatchObject({ ok: true });
    expect(waits).toEqual([1]);
  });

  it("does not wait for a host that proves nothing or does not respond", async () => {
    const { batches, waits, ask } = await serveBatches((did) =>
      did.endsWith("0") ? refuse(502, "did-document-unreachable", 5) : limited,
    );
    const codes = (await ask(newDids(3))).map(({ code }) => code);
    expect(codes).toEqual(["did-document-unreachable", "rate-limited", "rate-limited"]);
    expect(batches).toHaveLength(1);
    expect(waits).toEqual([]);
  });
});
