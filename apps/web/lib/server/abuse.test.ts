import { testAccount } from "@app-registry/test-kit/deployContracts";
import { startFaultyRpc } from "@app-registry/test-kit/faultyRpc";
import { createDatabase } from "@app-registry/test-kit/postgres";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { attestingServer } from "./test/attestingServer.ts";
import { type RegistryFixture, startRegistry, wallet } from "./test/registryFixture.ts";

let fixture: RegistryFixture;
beforeAll(async () => {
  fixture = await startRegistry();
});
afterAll(() => fixture.stop());

const connectedAddress = wallet.address;

/** Starts a server with a new database, in which no request and no transaction is counted. */
async function start(variables: Record<string, string>) {
  const { url } = await createDatabase();
  return attestingServer(fixture.registryWith({ DATABASE_URL: url, ...variables }));
}

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
      const request = { did: fixture.host.did(connectedAddress), connectedAddress };
      const first = await post(request);
      expect(first.status).toBe(200);
      expect(first.headers.get("ratelimit-policy")).toBe(`"${policy}";q=2;w=600`);
      expect((await post(request)).status).toBe(200);

      let calls = 0;
      rpc.break(() => {
        calls += 1;
        return "pass";
      });
      const asked = fixture.host.requests().length;
      const refused = await post({ ...request, did: fixture.host.did(connectedAddress) });
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
      expect(calls).toBe(0);
      expect(fixture.host.requests()).toHaveLength(asked);
      await rpc.close();
    },
  );

  // @threat services: Clients that repeat themselves or use up others' checks, or a limit that refuses only once
  it("rejects one client and wallet at each further DID", async () => {
    const { post } = await start({ RATE_LIMIT_ATTEST_CLIENT: "40", RATE_LIMIT_ATTEST_ADDRESS: "20" });
    const statuses: number[] = [];
    for (let count = 0; count < 150; count++) {
      const did = fixture.host.did(testAccount(2).address);
      statuses.push((await post({ did, connectedAddress })).status);
    }
    expect(statuses).toEqual([...Array(20).fill(422), ...Array(130).fill(429)]);
  });

  it("counts all spellings of an address as one wallet, and does not limit other wallets", async () => {
    const { post } = await start({ RATE_LIMIT_ATTEST_ADDRESS: "1" });
    const other = testAccount(2).address;
    const did = fixture.host.did(connectedAddress, other);
    expect((await post({ did, connectedAddress })).status).toBe(200);
    expect((await post({ did, connectedAddress: connectedAddress.toLowerCase() })).status).toBe(429);
    expect((await post({ did, connectedAddress: other })).status).toBe(200);
  });

  // @threat services: Clients that repeat themselves or use up others' checks, or a limit that refuses only once
  it("serves a wallet at a host at which many others failed too often", async () => {
    const { post } = await start({ RATE_LIMIT_ATTEST_HOST: "3", RATE_LIMIT_ATTEST_ADDRESS: "10" });
    const did = fixture.host.did(connectedAddress);
    for (let index = 2; index < 8; index++) {
      const stranger = testAccount(index).address;
      const statuses: number[] = [];
      for (let count = 0; count < 4; count++)
        statuses.push((await post({ did, connectedAddress: stranger })).status);
      expect(statuses).toEqual([422, 422, 422, 429]);
    }
    expect((await post({ did, connectedAddress })).status).toBe(200);
  });

  // @threat services: Clients that repeat themselves or use up others' checks, or a limit that refuses only once
  it("serves a wallet that other clients named too often without proving it is theirs", async () => {
    const { post } = await start({ TRUSTED_PROXIES: "1", RATE_LIMIT_ATTEST_ADDRESS: "1" });
    const request = { did: fixture.host.did(testAccount(2).address), connectedAddress };
    const own = { did: fixture.host.did(connectedAddress), connectedAddress };
    for (const stranger of ["203.0.113.1", "203.0.113.2"]) {
      expect((await post(request, stranger)).status).toBe(422);
      expect((await post(request, stranger)).status).toBe(429);
    }
    expect((await post(own, "203.0.113.3")).status).toBe(200);
  });

  // @threat services: Clients that repeat themselves or use up others' checks, or a limit that refuses only once
  // @threat services: Accepted: strangers with many wallets and addresses slow a host's new attestations
  it("counts only checks that contact the host, and still reports existing attestations", async () => {
    const { post } = await start({ RATE_LIMIT_ATTEST_CHECKS_HOST: "2" });
    const own = { did: fixture.host.did(connectedAddress), connectedAddress };
    const others = { did: own.did, connectedAddress: testAccount(2).address };
    expect((await post(own)).status).toBe(200);
    for (let count = 0; count < 5; count++)
      expect(await (await post(own)).json()).toMatchObject({ status: "already-attested" });
    expect((await post(others)).status).toBe(422);
    const asked = fixture.host.requests().length;
    const refused = await post(others);
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ detail: expect.stringContaining("per host") });
    expect(fixture.host.requests()).toHaveLength(asked);
    expect(await (await post(own)).json()).toMatchObject({ ok: true, status: "already-attested" });
  });

  it("counts all paths of a DID's host together, and all ports except on loopback", async () => {
    const { post } = await start({ RATE_LIMIT_ATTEST_HOST: "1" });
    const listStatus = async (did: string) => (await post({ did, connectedAddress })).status;
    const [first, second] = [fixture.host.did(), fixture.host.did()];
    expect(await listStatus(first)).not.toBe(429);
    expect(await listStatus(second)).toBe(429);
    expect(await listStatus("did:web:localhost%3A1")).not.toBe(429);
    expect(await listStatus("did:web:service.test")).not.toBe(429);
    expect(await listStatus("did:web:service.test%3A8443")).toBe(429);
  });
});

// @threat services: Clients that repeat themselves or use up others' checks, or a limit that refuses only once
describe("POST /api/verify-and-attest over the spending cap", () => {
  it("attests nothing and contacts no host, but still reports existing attestations", async () => {
    const done = fixture.host.did(connectedAddress);
    expect((await fixture.post({ did: done, connectedAddress })).status).toBe(200);
    const { post, issuer } = await start({ ISSUER_SPENDING_CAP: "0.000000001" });
    const { address } = await issuer();
    const nonce = () => fixture.registry.publicClient.getTransactionCount({ address });
    const before = await nonce();
    const asked = fixture.host.requests().length;
    const refused = await post({ did: fixture.host.did(connectedAddress), connectedAddress });
    expect(refused.status).toBe(503);
    expect(refused.headers.get("retry-after")).toBe("3600");
    expect(await refused.json()).toMatchObject({
      ok: false,
      status: "failed",
      code: "issuer-spending-cap",
      retryable: true,
    });
    expect(fixture.host.requests()).toHaveLength(asked);
    const again = await post({ did: done, connectedAddress });
    expect(await again.json()).toMatchObject({ ok: true, status: "already-attested", txHashes: [] });
    expect(await nonce()).toBe(before);
  });
});

describe("POST /api/verify-and-attest of a client over its share of the spending cap", () => {
  const greedy = "203.0.113.1";
  const other = "203.0.113.2";

  // @threat services: Requests that spend the issuer's cap, or leave nothing to revoke with
  it("is rejected by two processes before any host is contacted, while others are served", async () => {
    const database = await createDatabase();
    const variables = {
      DATABASE_URL: database.url,
      TRUSTED_PROXIES: "1",
      ISSUER_CLIENT_SPENDING_CAP: "0.001",
    };
    const start = () => attestingServer(fixture.registryWith(variables));
    const servers = [start(), start()] as const;
    const attest = (server: number, client: string) =>
      servers[server % 2 ? 1 : 0].post({ did: fixture.host.did(connectedAddress), connectedAddress }, client);
    const attested: string[] = [];
    let refused: Response | undefined;
    for (let count = 0; count < 100 && !refused; count++) {
      const did = fixture.host.did(connectedAddress);
      const answer = await servers[count % 2 ? 1 : 0].post({ did, connectedAddress }, greedy);
      if (answer.status === 200) attested.push(did);
      else refused = answer;
    }
    expect(attested.length).toBeGreaterThan(0);
    expect(refused?.status).toBe(429);
    expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(3_000);
    expect(await refused?.json()).toMatchObject({
      ...{ ok: false, status: "failed", code: "client-spending-cap", retryable: true, txHashes: [] },
    });
    const asked = fixture.host.requests().length;
    for (const server of [0, 1]) {
      expect((await attest(server, greedy)).status).toBe(429);
      expect(fixture.host.requests()).toHaveLength(asked);
    }
    const known = await servers[0].post({ did: attested[0], connectedAddress }, greedy);
    expect(await known.json()).toMatchObject({ ok: true, status: "already-attested", txHashes: [] });
    for (const server of [0, 1]) expect((await attest(server, other)).status).toBe(200);

    const pool = database.connect();
    const { rows } = await pool.query("SELECT DISTINCT client FROM app_registry_issuer.sent_statements");
    await pool.end();
    expect(rows.length).toBeGreaterThan(1);
    expect(JSON.stringify(rows)).not.toContain("203.0.113");
  });

  // @threat services: Requests that spend the issuer's cap, or leave nothing to revoke with
  it("is not confused with another client's identical request at the same time", async () => {
    const { post } = await start({ TRUSTED_PROXIES: "1", ISSUER_CLIENT_SPENDING_CAP: "0.001" });
    let status = 200;
    for (let count = 0; count < 100 && status === 200; count++) {
      status = (await post({ did: fixture.host.did(connectedAddress), connectedAddress }, greedy)).status;
    }
    expect(status).toBe(429);
    const request = { did: fixture.host.did(connectedAddress), connectedAddress };
    const answers = await Promise.all([greedy, greedy, other, greedy].map((client) => post(request, client)));
    expect(answers.map((answer) => answer.status)).toEqual([429, 429, 200, expect.any(Number)]);
  });
});

describe("POST /api/verify-and-attest repeated", () => {
  it("attests the same for both orders of the schemas", async () => {
    const { did } = await fixture.register();
    const orders = [
      ["did-ownership", "data-hash"],
      ["data-hash", "did-ownership"],
    ];
    const { address } = await fixture.issuer();
    const nonce = () => fixture.registry.publicClient.getTransactionCount({ address });
    const before = await nonce();
    const answers = await Promise.all(
      orders.map((requiredSchemas) => fixture.post({ did, connectedAddress, requiredSchemas })),
    );
    for (const answer of answers) expect(await answer.json()).toMatchObject({ ok: true });
    expect(await nonce()).toBe(before + 1);
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
    const did = fixture.host.did(connectedAddress);
    const { post } = await start({ RPC_URL: `${fixture.rpcUrl}/${key}`, RATE_LIMIT_ATTEST_ADDRESS: "3" });
    const { post: away } = await start({ RPC_URL: `http://127.0.0.1:18815/${key}` });
    const answers = [
      await post({ did, connectedAddress }),
      await post({ did: fixture.host.did(), connectedAddress }),
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
