import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { request as send } from "node:http";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testAccount } from "../../../../packages/sdk/test/support/deployContracts.ts";
import { type ApiDocument, createAnswerCheck } from "./test/apiDocument.ts";
import { type ApiRequest, apiRequests, type KnownValues } from "./test/apiRequests.ts";
import { type RegistryFixture, startRegistry, wallet } from "./test/registryFixture.ts";

const port = 18_817;
const isLong = Boolean(process.env.TEST_LONG);
const runs = isLong ? 5_000 : 300;

let fixture: RegistryFixture;
let server: ChildProcess;
let document: ApiDocument;
let known: KnownValues;
const crashes: string[] = [];

beforeAll(async () => {
  fixture = await startRegistry(18_816);
  server = fork(fileURLToPath(new URL("./test/apiProcess.ts", import.meta.url)), {
    env: { ...process.env, ...fixture.variables, PORT: String(port) },
    execArgv: ["--expose-gc", "--unhandled-rejections=strict"],
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  server.stderr?.on("data", (chunk) => {
    // A line of the log that is no warning is the server's own fault.
    if (String(chunk).includes('"level":"error"')) crashes.push(String(chunk));
  });
  server.on("message", (message: { crashed?: string }) => message.crashed && crashes.push(message.crashed));
  server.on("exit", (code) => crashes.push(`the process ended with ${code}`));
  await once(server, "message");
  document = await fetch(`http://127.0.0.1:${port}/api/openapi.json`).then((response) => response.json());
  known = await knownValues();
}, 180_000);

afterAll(async () => {
  server.removeAllListeners("exit");
  server.kill();
  await fixture.stop();
});

/** What is registered, what can be attested, and what is refused for a reason of its own. */
async function knownValues(): Promise<KnownValues> {
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
    cursor: ["0", "chain:1", "x"],
    owner: [wallet.address],
    minVersion: ["1.0.0", "1.2", "300.0.0"],
  };
}

type Answer = { status: number; type: string | null; headers: Record<string, unknown>; body: string };

function ask({ method, target, headers, body, chunked }: ApiRequest): Promise<Answer> {
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
    // A body that is refused for its size need not be taken whole.
    outgoing.on("error", reject);
    if (body !== undefined) outgoing.write(body);
    outgoing.end();
  });
}

async function heap(): Promise<number> {
  server.send("heap");
  const [{ heapUsed }] = (await once(server, "message")) as [{ heapUsed: number }];
  return heapUsed;
}

/** Dot segments may lead out of the API, to pages that this process does not serve. */
const staysInApi = ({ target }: ApiRequest) =>
  new URL(`http://localhost${target}`).pathname.startsWith("/api/");

/** The index is away in this set-up, so full-text search says so; nothing else is. */
const isExpectedOutage = ({ target }: ApiRequest, { status, body }: Answer) =>
  status === 503 && target.startsWith("/api/search") && JSON.parse(body).code === "index-unavailable";

function checkUndocumented(
  { documented, method }: ApiRequest,
  { status, type, headers, body }: Answer,
): void {
  if (documented === undefined) expect(status).toBe(404);
  else if (method === "OPTIONS") expect(status).toBe(204);
  else if (method !== "HEAD" || status === 405) {
    expect(status).toBe(405);
    expect(headers.allow).toContain("OPTIONS");
  }
  if (method === "HEAD" || method === "OPTIONS") expect(body).toBe("");
  else expect(type).toBe("application/problem+json");
}

describe("the API under generated requests", () => {
  it(
    `answers each of ${runs} as its OpenAPI document says, and keeps no memory of them`,
    async () => {
      const check = createAnswerCheck(document);
      const statuses: Record<string, number> = {};
      const heaps: number[] = [];
      let count = 0;
      await fc.assert(
        fc.asyncProperty(apiRequests(document, known), async (request) => {
          fc.pre(staysInApi(request));
          const answer = await ask(request);
          const { documented, method } = request;
          statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
          expect(crashes.splice(0)).toEqual([]);
          expect(answer.headers["x-request-id"]).toMatch(/^[A-Za-z0-9._-]{8,64}$/);
          expect(answer.headers["x-content-type-options"]).toBe("nosniff");
          expect(answer.body).not.toMatch(/\bat .*\.[jt]s:\d+/);
          if (!isExpectedOutage(request, answer)) expect(answer.status, answer.body).toBeLessThan(500);
          if (documented !== undefined && document.paths[documented]?.[method.toLowerCase()]) {
            expect(check(documented, method, answer)).toBeUndefined();
          } else checkUndocumented(request, answer);
          count += 1;
          if (count % 100 === 0) heaps.push(await heap());
        }),
        { numRuns: runs },
      );
      console.info(JSON.stringify({ requests: count, statuses, heaps }));
      if (!isLong) return;
      const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
      // The first thousand requests load and compile what the rest use.
      expect(mean(heaps.slice(-10)) / mean(heaps.slice(10, 20))).toBeLessThan(1.05);
    },
    isLong ? 1_500_000 : 120_000,
  );
});
