import { verifyAndAttestResponseSchema } from "@app-registry/issuer";
import { type SignedAttestation, sendSignedAttestation } from "@app-registry/sdk";
import { testAccount } from "@app-registry/test-kit/deployContracts";
import { startFaultyRpc } from "@app-registry/test-kit/faultyRpc";
import { createDatabase } from "@app-registry/test-kit/postgres";
import { describe, expect, it, vi } from "vitest";
import { attestingServer } from "../test/attestingServer.ts";
import { provideRegistry, UNUSED_URL, wallet } from "../test/registryFixture.ts";

const fixture = provideRegistry();

const connectedAddress = wallet.address;
const stranger = testAccount(2).address;
const newDid = (...wallets: `0x${string}`[]) => fixture.host.did(...wallets);
const newRequest = () => ({ did: newDid(connectedAddress), connectedAddress });
const alreadyAttested = { ok: true, status: "already-attested", txHashes: [] };

/** Starts a server with a new database, in which no request and no transaction is counted. */
async function start(variables: Record<string, string>) {
  const { url } = await createDatabase();
  return attestingServer(fixture.registryWith({ DATABASE_URL: url, ...variables }));
}

/** Counts the requests that the host gets while something runs. */
async function countRequests(work: () => Promise<unknown>): Promise<number> {
  const before = fixture.host.requests().length;
  await work();
  return fixture.host.requests().length - before;
}

async function countSent(): Promise<number> {
  const { address } = await fixture.issuer();
  return fixture.registry.publicClient.getTransactionCount({ address });
}

describe("POST /api/verify-and-attest", () => {
  it("attests, and then reports the existing attestation", async () => {
    const request = newRequest();
    const first = await fixture.post(request);
    expect(first.status).toBe(200);
    const body = await first.json();
    expect(verifyAndAttestResponseSchema.parse(body)).toEqual(body);
    expect(body).toMatchObject({ ok: true, status: "attested", txHashes: [body.attestations[0].txHash] });
    const second = await fixture.post({ ...request, requiredSchemas: ["did-ownership"] });
    expect(await second.json()).toMatchObject(alreadyAttested);
  });

  it("attests the same for both orders of the schemas", async () => {
    const { did } = await fixture.register();
    const orders = [
      ["did-ownership", "data-hash"],
      ["data-hash", "did-ownership"],
    ];
    const before = await countSent();
    const answers = await Promise.all(
      orders.map((requiredSchemas) => fixture.post({ did, connectedAddress, requiredSchemas })),
    );
    for (const answer of answers) expect(await answer.json()).toMatchObject({ ok: true });
    expect(await countSent()).toBe(before + 1);
  });

  it.each([
    ["no DID", { did: "example.com", connectedAddress }, "invalid-did", "/did"],
    ["another field", { did: "did:web:a.example", connectedAddress, dataHash: "0x" }, "invalid-request", ""],
    // @threat services: A body or list that is empty, endless, trickles or breaks off
  ])("reports the location of a request with %s", async (_, request, code, pointer) => {
    const response = await fixture.post(request);
    expect(response.status).toBe(400);
    const body = await response.json();
    expect(body).toMatchObject({ ok: false, status: "failed", code });
    expect(body.problems.map((problem: { pointer: string }) => problem.pointer)).toContain(pointer);
  });

  // @threat services: A host or an RPC endpoint that is down or slow
  it("returns a retryable 503 while the chain is unavailable, never a missing attestation", async () => {
    const away = fixture.registryWith({ RPC_URL: UNUSED_URL });
    const response = await attestingServer(away).post(newRequest());
    expect(response.status).toBe(503);
    expect(response.headers.get("retry-after")).toBe("5");
    expect(await response.json()).toMatchObject({ ok: false, code: "chain-unavailable", retryable: true });
  });

  it("with ISSUER_MODE=sign, returns the issuer's signature for the publisher to submit, at no cost for the issuer", async () => {
    const { post, issuer } = attestingServer(fixture.registryWith({ ISSUER_MODE: "sign" }));
    const read = async (response: Response) => {
      const body: unknown = await response.json();
      const answer = verifyAndAttestResponseSchema.parse(body);
      expect(answer).toEqual(body);
      return answer;
    };
    const carry = async (signed: SignedAttestation) => {
      const hash = await sendSignedAttestation(fixture.publisher, signed);
      await fixture.publisher.waitForReceipt({ hash });
    };
    const { address } = await issuer();
    const spent = () => fixture.registry.publicClient.getBalance({ address });
    const before = await spent();
    const request = newRequest();
    const first = await read(await post(request));
    expect(first).toMatchObject({ ok: false, status: "signed", attestations: [], txHashes: [] });
    const again = await read(await post(request));
    if (first.status !== "signed" || again.status !== "signed") throw new Error("not signed");
    for (const { signatures } of [first, again]) await Promise.all(signatures.map(carry));
    expect(await read(await post(request))).toMatchObject({ ok: true, status: "already-attested" });
    expect(await spent()).toBe(before);
  });
});

describe("POST /api/verify-and-attest over its limits", () => {
  it.each([
    ["a wallet", "RATE_LIMIT_ATTEST_ADDRESS", "attest-address"],
    ["a host", "RATE_LIMIT_ATTEST_HOST", "attest-host"],
    ["a client", "RATE_LIMIT_ATTEST_CLIENT", "attest-client"],
    // @threat services: Clients that repeat themselves or use up others' checks, or a limit that refuses only once
  ])(
    "rejects %s that sends too many requests before the chain or any host is contacted",
    async (_, variable, policy) => {
      const rpc = await startFaultyRpc(fixture.rpcUrl);
      const { post } = await start({ RPC_URL: rpc.url, [variable]: "2" });
      const first = await post(newRequest());
      expect(first.status).toBe(200);
      expect(first.headers.get("ratelimit-policy")).toBe(`"${policy}";q=2;w=600`);
      expect((await post({ did: newDid(), connectedAddress })).status).toBe(422);

      let calls = 0;
      rpc.break(() => {
        calls += 1;
        return "pass";
      });
      const requests = await countRequests(async () => {
        const refused = await post(newRequest());
        expect(refused.status).toBe(429);
        expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(500);
        expect(refused.headers.get("ratelimit")).toMatch(new RegExp(`^"${policy}";r=0;t=\\d+$`));
        expect(await refused.json()).toMatchObject({
          ok: false,
          status: "failed",
          code: "rate-limited",
          retryable: true,
          attestations: [],
          txHashes: [],
        });
      });
      expect([calls, requests]).toEqual([0, 0]);
      await rpc.close();
    },
  );

  it("counts all spellings of an address as one wallet, and does not limit other wallets", async () => {
    const { post } = await start({ RATE_LIMIT_ATTEST_ADDRESS: "1" });
    const did = newDid(connectedAddress, stranger);
    expect((await post({ did, connectedAddress })).status).toBe(200);
    expect((await post({ did, connectedAddress: connectedAddress.toLowerCase() })).status).toBe(429);
    expect((await post({ did, connectedAddress: stranger })).status).toBe(200);
  });

  // @threat services: Clients that repeat themselves or use up others' checks, or a limit that refuses only once
  it("serves a wallet at a host at which others failed too often", async () => {
    const { post } = await start({ RATE_LIMIT_ATTEST_HOST: "2", RATE_LIMIT_ATTEST_ADDRESS: "10" });
    const own = newRequest();
    for (const index of [2, 3]) {
      const others = { ...own, connectedAddress: testAccount(index).address };
      const answers = [await post(others), await post(others), await post(others)];
      expect(answers.map(({ status }) => status)).toEqual([422, 422, 429]);
    }
    expect((await post(own)).status).toBe(200);
  });

  // @threat services: Clients that repeat themselves or use up others' checks, or a limit that refuses only once
  it("serves a wallet that other clients named too often without proving it is theirs", async () => {
    const { post } = await start({ TRUSTED_PROXIES: "1", RATE_LIMIT_ATTEST_ADDRESS: "1" });
    const request = { did: newDid(stranger), connectedAddress };
    for (const client of ["203.0.113.1", "203.0.113.2"]) {
      expect((await post(request, client)).status).toBe(422);
      expect((await post(request, client)).status).toBe(429);
    }
    expect((await post(newRequest(), "203.0.113.3")).status).toBe(200);
  });

  // @threat services: Clients that repeat themselves or use up others' checks, or a limit that refuses only once
  // @threat services: Accepted: strangers with many wallets and addresses slow a host's new attestations
  it("counts only checks that contact the host, and still reports existing attestations", async () => {
    const { post } = await start({ RATE_LIMIT_ATTEST_CHECKS_HOST: "2" });
    const own = newRequest();
    const others = { ...own, connectedAddress: stranger };
    expect((await post(own)).status).toBe(200);
    for (let count = 0; count < 5; count++)
      expect(await (await post(own)).json()).toMatchObject(alreadyAttested);
    expect((await post(others)).status).toBe(422);
    const requests = await countRequests(async () => {
      const refused = await post(others);
      expect(refused.status).toBe(429);
      expect(await refused.json()).toMatchObject({ detail: expect.stringContaining("per host") });
    });
    expect(requests).toBe(0);
    expect(await (await post(own)).json()).toMatchObject(alreadyAttested);
  });

  it("counts all paths of a DID's host together, and all ports except on loopback", async () => {
    const { post } = await start({ RATE_LIMIT_ATTEST_HOST: "1" });
    const listStatus = async (did: string) => (await post({ did, connectedAddress })).status;
    expect(await listStatus(newDid())).not.toBe(429);
    expect(await listStatus(newDid())).toBe(429);
    expect(await listStatus("did:web:localhost%3A1")).not.toBe(429);
    expect(await listStatus("did:web:service.test")).not.toBe(429);
    expect(await listStatus("did:web:service.test%3A8443")).toBe(429);
  });
});

// @threat services: Clients that repeat themselves or use up others' checks, or a limit that refuses only once
describe("POST /api/verify-and-attest over the spending cap", () => {
  it("attests nothing and contacts no host, but still reports existing attestations", async () => {
    const done = newRequest();
    expect((await fixture.post(done)).status).toBe(200);
    const { post } = await start({ ISSUER_SPENDING_CAP: "0.000000001" });
    const before = await countSent();
    const requests = await countRequests(async () => {
      const refused = await post(newRequest());
      expect(refused.status).toBe(503);
      expect(refused.headers.get("retry-after")).toBe("3600");
      expect(await refused.json()).toMatchObject({
        ...{ ok: false, status: "failed", code: "issuer-spending-cap", retryable: true },
      });
    });
    expect(requests).toBe(0);
    expect(await (await post(done)).json()).toMatchObject(alreadyAttested);
    expect(await countSent()).toBe(before);
  });

  // @threat services: Requests that spend the issuer's cap, or leave nothing to revoke with
  it("rejects a client over its share of the cap, and serves others, even for the same DID at the same time", async () => {
    const [greedy, other] = ["203.0.113.1", "203.0.113.2"];
    const { url } = await createDatabase();
    const variables = { DATABASE_URL: url, TRUSTED_PROXIES: "1", ISSUER_CLIENT_SPENDING_CAP: "0.001" };
    const registry = fixture.registryWith(variables);
    const { post } = attestingServer(registry);
    const attested: object[] = [];
    let refused: Response | undefined;
    for (let count = 0; count < 100 && !refused; count++) {
      const request = newRequest();
      const answer = await post(request, greedy);
      if (answer.status === 200) attested.push(request);
      else refused = answer;
    }
    expect(refused?.status).toBe(429);
    expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(3_000);
    expect(await refused?.json()).toMatchObject({
      ...{ ok: false, status: "failed", code: "client-spending-cap", retryable: true, txHashes: [] },
    });
    const requests = await countRequests(async () => {
      expect((await post(newRequest(), greedy)).status).toBe(429);
      expect(await (await post(attested[0], greedy)).json()).toMatchObject(alreadyAttested);
    });
    expect(requests).toBe(0);
    const request = newRequest();
    const answers = await Promise.all([greedy, greedy, other, greedy].map((client) => post(request, client)));
    expect(answers.map(({ status }) => status)).toEqual([429, 429, 200, expect.any(Number)]);

    const { rows } = await registry.database.query(
      "SELECT DISTINCT client FROM app_registry_issuer.sent_statements",
    );
    expect(rows.length).toBeGreaterThan(1);
    expect(JSON.stringify(rows)).not.toContain("203.0.113");
  });
});

describe("the log of POST /api/verify-and-attest", () => {
  // @threat services: A stack trace or a key in an answer, log or readable file
  it("has one line of JSON per request with the request, its outcome and no secret", async () => {
    const lines: string[] = [];
    const record = (line: string) => void lines.push(line);
    for (const method of ["info", "warn", "error", "log"] as const) {
      vi.spyOn(console, method).mockImplementation(record);
    }
    const secret = fixture.variables.ISSUER_PRIVATE_KEY ?? "";
    const key = "rpc-key-5f3c";
    const { did } = newRequest();
    const { post } = await start({ RPC_URL: `${fixture.rpcUrl}/${key}` });
    const { post: away } = await start({ RPC_URL: `${UNUSED_URL}/${key}` });
    const answers = [
      await post({ did, connectedAddress }),
      await post({ did: newDid(), connectedAddress }),
      await post({ did: "nothing", connectedAddress }),
      await away({ did, connectedAddress }),
    ];
    vi.restoreAllMocks();
    const bodies = await Promise.all(answers.map((answer) => answer.text()));
    for (const text of [...bodies, ...lines]) {
      expect(text).not.toContain(secret.slice(2));
      expect(text).not.toContain(key);
      expect(text).not.toMatch(/\bat .*\.[jt]s:\d+/);
    }
    const [attested, failed, invalid, unavailable, ...others] = lines.map((line) => JSON.parse(line));
    expect(others).toEqual([]);
    expect(attested).toMatchObject({
      level: "info",
      event: "verify-and-attest",
      requestId: answers[0]?.headers.get("x-request-id"),
      status: 200,
      outcome: "attested",
      did,
      txHashes: [expect.stringMatching(/^0x[0-9a-f]{64}$/)],
      durationMs: expect.any(Number),
    });
    expect(failed).toMatchObject({ status: 422, outcome: "failed", code: "wallet-not-in-did-document" });
    expect(invalid).toMatchObject({ level: "info", status: 400, code: "invalid-did" });
    expect(unavailable).toMatchObject({ level: "warn", status: 503, code: "chain-unavailable", did });
  });
});
