import { testAccount } from "@app-registry/test-kit/deployContracts";
import { createDidDocument } from "@app-registry/test-kit/didHost";
import { startFaultyRpc } from "@app-registry/test-kit/faultyRpc";
import { serveFiles, serveHttp } from "@app-registry/test-kit/httpServer";
import { createDatabase } from "@app-registry/test-kit/postgres";
import { describe, expect, it, vi } from "vitest";
import type { z } from "zod";
import { attestingServer } from "../test/attestingServer.ts";
import { provideRegistry, wallet } from "../test/registryFixture.ts";
import {
  attestBatchRequestSchema,
  attestBatchResponseSchema,
  verifyAndAttestBatch,
} from "./verifyAndAttest.ts";

const fixture = provideRegistry();

const connectedAddress = wallet.address;
const stranger = testAccount(2).address;

const newDids = (count: number, ...wallets: `0x${string}`[]) =>
  Array.from({ length: count }, () => fixture.host.did(...wallets));

type Results = z.output<typeof attestBatchResponseSchema>["results"];

/** Starts a server with a new database, in which no request is counted. */
async function start(variables: Record<string, string> = {}) {
  const { url } = await createDatabase();
  const server = attestingServer(fixture.registryWith({ DATABASE_URL: url, ...variables }));
  const send = (body: object, client?: string) =>
    server.post({ connectedAddress, ...body }, client, "/batch");
  const readResults = async (body: object, client?: string): Promise<Results> =>
    attestBatchResponseSchema.parse(await (await send(body, client)).json()).results;
  return { ...server, send, readResults };
}

const codes = (results: Results) =>
  results.map(({ response }) => (response.status === "failed" ? response.code : response.status));

/** Counts the requests that the host gets while something runs. */
async function countRequests(work: () => Promise<unknown>): Promise<number> {
  const before = fixture.host.requests().length;
  await work();
  return fixture.host.requests().length - before;
}

describe("POST /api/verify-and-attest/batch", () => {
  it("attests DIDs in a few transactions, and sends nothing for those that are attested", async () => {
    const { readResults, issuer } = await start();
    const { address } = await issuer();
    const countSent = () => fixture.registry.publicClient.getTransactionCount({ address });
    const dids = newDids(12, connectedAddress);
    const before = await countSent();
    const results = await readResults({ dids });
    expect(results.map(({ did }) => did)).toEqual(dids);
    expect(codes(results)).toEqual(Array(12).fill("attested"));
    const sent = await countSent();
    expect(sent - before).toBeLessThan(6);
    const requests = await countRequests(async () => {
      expect(codes(await readResults({ dids }))).toEqual(Array(12).fill("already-attested"));
    });
    expect(requests).toBe(0);
    expect(await countSent()).toBe(sent);
  });

  it("returns for each DID what a single request would return", async () => {
    const { post, readResults } = await start();
    const [named = ""] = newDids(1, connectedAddress);
    const [foreign = ""] = newDids(1, stranger);
    const missing = `${named}-missing`;
    await post({ did: named, connectedAddress });
    const dids = [foreign, named, missing];
    const results = await readResults({ dids: [...dids, fixture.host.did(connectedAddress)] });
    for (const [index, did] of dids.entries()) {
      const single = await post({ did, connectedAddress });
      const { httpStatus, response } = results[index] as Results[number];
      expect(httpStatus).toBe(single.status);
      const body = {
        ...(await single.json()),
        ...("requestId" in response && { requestId: response.requestId }),
      };
      expect(response).toEqual(body);
    }
    expect(codes(results)).toEqual([
      "wallet-not-in-did-document",
      "already-attested",
      "did-document-missing",
      "attested",
    ]);
  });

  it("sends one request to the host at a time", async () => {
    const { readResults } = await start();
    let running = 0;
    let most = 0;
    const origin = await serveHttp((request, response) => {
      running += 1;
      most = Math.max(most, running);
      setTimeout(() => {
        running -= 1;
        const name = (request.url ?? "").split("/")[1];
        const document = createDidDocument(`did:web:${host}:${name}`, [connectedAddress]);
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(document));
      }, 5);
    });
    const host = `localhost%3A${new URL(origin).port}`;
    const dids = Array.from({ length: 6 }, (_, index) => `did:web:${host}:service-${index}`);
    expect(codes(await readResults({ dids }))).toEqual(Array(6).fill("attested"));
    expect(most).toBe(1);
  });

  it("attests the hashes of records", async () => {
    const { readResults } = await start();
    const registered = [await fixture.register(), await fixture.register()];
    const dids = registered.map(({ did }) => did);
    const requests = await countRequests(async () => {
      const results = await readResults({ dids, requiredSchemas: ["data-hash"] });
      expect(results.map(({ response }) => response.attestations[0]?.subject)).toEqual(
        registered.map(({ dataHash }) => dataHash),
      );
    });
    expect(requests).toBe(0);
  });

  it("begins no check after its time limit", async () => {
    const { issuer } = await start();
    const context = {
      requestId: "a-request",
      clientAddress: () => "127.0.0.1",
      count: async () => undefined,
      note: () => undefined,
      body: attestBatchRequestSchema.parse({ dids: newDids(2, connectedAddress), connectedAddress }),
    };
    const requests = await countRequests(async () => {
      const request = new Request("http://localhost/api/verify-and-attest/batch");
      const answer = await verifyAndAttestBatch(request, context, issuer, undefined, -1);
      const { results } = attestBatchResponseSchema.parse(await answer.json());
      expect(codes(results)).toEqual(["timeout", "timeout"]);
      expect(results[0]).toMatchObject({ httpStatus: 504, retryAfter: 5 });
    });
    expect(requests).toBe(0);
  });

  it("logs what fails for one DID", async () => {
    const rpc = await startFaultyRpc(fixture.rpcUrl);
    const { readResults, issuer } = await start({ RPC_URL: rpc.url });
    await issuer();
    rpc.break(() => "drop");
    const log = vi.spyOn(console, "error").mockReturnValue();
    const [did = ""] = newDids(1, connectedAddress);
    expect(codes(await readResults({ dids: [did] }))).toEqual(["chain-unavailable"]);
    expect(JSON.parse(log.mock.calls[0]?.[0])).toMatchObject({ did, code: "chain-unavailable", status: 503 });
    log.mockRestore();
    await rpc.close();
  });

  // @threat services: A body or list that is empty, endless, trickles or breaks off
  it("rejects a list that does not name 1 to 100 different DIDs of one host", async () => {
    const { send } = await start();
    for (const [dids, code] of [
      [[], "invalid-request"],
      [Array.from({ length: 101 }, (_, index) => `did:web:a.example:${index}`), "invalid-request"],
      [["did:web:a.example", "did:web:A.example"], "invalid-request"],
      [["did:web:a.example:b", "did:web:b.example"], "invalid-request"],
      [["did:web:a.example", `did:pkh:eip155:1:${stranger}`], "invalid-request"],
      [["did:web:a.example", "example.com"], "invalid-did"],
    ] as const) {
      const response = await send({ dids });
      expect(response.status, dids.join()).toBe(400);
      expect(await response.json()).toMatchObject({ ok: false, status: "failed", code, txHashes: [] });
    }
  });
});

describe("POST /api/verify-and-attest/batch over its limits", () => {
  it("counts a batch whose checks prove control as one request", async () => {
    const { send, readResults } = await start({
      RATE_LIMIT_ATTEST_CLIENT: "2",
      RATE_LIMIT_ATTEST_ADDRESS: "2",
      RATE_LIMIT_ATTEST_HOST: "2",
    });
    for (let batch = 0; batch < 2; batch++) {
      const dids = newDids(5, connectedAddress);
      expect(codes(await readResults({ dids }))).toEqual(Array(5).fill("attested"));
    }
    const refused = await send({ dids: newDids(5, connectedAddress) });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(500);
  });

  it.each(["RATE_LIMIT_ATTEST_CLIENT", "RATE_LIMIT_ATTEST_ADDRESS", "RATE_LIMIT_ATTEST_HOST"])(
    "requests no more from a stranger's host than single requests could (%s)",
    // @threat services: Clients that repeat themselves or use up others' checks, or a limit that refuses only once
    async (variable) => {
      const { post, readResults } = await start({ [variable]: "6" });
      const own = newDids(6, connectedAddress);
      const others = newDids(30, stranger);
      const requests = await countRequests(async () => {
        // DIDs whose checks succeed must not pay for others, in one batch or in several at the same time.
        const batches = [0, 1, 2].map((batch) => [
          ...own.slice(batch * 2, batch * 2 + 1),
          ...others.slice(batch * 10, batch * 10 + 10),
          ...own.slice(batch * 2 + 1, batch * 2 + 2),
        ]);
        const results = await Promise.all(batches.map((dids) => readResults({ dids })));
        expect(results.flatMap(codes)).toContain("rate-limited");
      });
      expect(requests).toBeLessThanOrEqual(6 + own.length);
      expect((await post({ did: others[0], connectedAddress })).status).toBe(429);
    },
  );

  // @threat services: Clients that repeat themselves or use up others' checks, or a limit that refuses only once
  it("counts every request to a host, also of checks that prove control", async () => {
    const { readResults } = await start({ RATE_LIMIT_ATTEST_CHECKS_HOST: "3" });
    const requests = await countRequests(async () => {
      const results = await readResults({ dids: newDids(6, connectedAddress) });
      expect(codes(results).sort()).toEqual([...Array(3).fill("attested"), ...Array(3).fill("rate-limited")]);
      const refused = results.find(({ httpStatus }) => httpStatus === 429);
      expect(refused?.retryAfter).toBeGreaterThan(500);
    });
    expect(requests).toBe(3);
  });

  // @threat services: Clients that repeat themselves or use up others' checks, or a limit that refuses only once
  it("counts each document that a record names at a stranger's host", async () => {
    const { readResults } = await start({ RATE_LIMIT_ATTEST_HOST: "2" });
    const { origin, files } = await serveFiles();
    const metadata = { name: "A service", traits: ["api:rest"] };
    files.set("/metadata.json", JSON.stringify(metadata));
    const dids: string[] = [];
    for (let count = 0; count < 4; count++) {
      const { did } = await fixture.register({
        metadata,
        onChain: false,
        dataUrl: `${origin}/metadata.json`,
      });
      dids.push(did);
    }
    const results = await readResults({ dids, requiredSchemas: ["data-hash"] });
    expect(codes(results).sort()).toEqual(["attested", "attested", "rate-limited", "rate-limited"]);
  });

  it("limits checks of contracts by chain", async () => {
    const { readResults } = await start({ RATE_LIMIT_ATTEST_HOST: "2" });
    const dids = [3, 4, 5, 6].map(
      (index) => `did:pkh:eip155:31337:${testAccount(index).address.toLowerCase()}`,
    );
    const results = codes(await readResults({ dids }));
    expect(results.filter((code) => code !== "rate-limited")).toHaveLength(2);
  });
});
