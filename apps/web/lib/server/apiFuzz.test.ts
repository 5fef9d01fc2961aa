import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, createApiCheck, knownValues, staysInApi } from "./test/apiAnswers.ts";
import type { ApiDocument } from "./test/apiDocument.ts";
import { apiRequests, type KnownValues } from "./test/apiRequests.ts";
import { type RegistryFixture, startRegistry } from "./test/registryFixture.ts";

const port = 18_817;
const isLong = Boolean(process.env.TEST_LONG);
const runs = isLong ? 5_000 : 300;

let fixture: RegistryFixture;
let server: ChildProcess;
let document: ApiDocument;
let known: KnownValues;
const crashes: string[] = [];

beforeAll(async () => {
  fixture = await startRegistry();
  server = fork(fileURLToPath(new URL("./test/apiProcess.ts", import.meta.url)), {
    env: { ...process.env, ...fixture.variables, PORT: String(port) },
    execArgv: ["--expose-gc", "--unhandled-rejections=strict"],
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  server.stderr?.on("data", (chunk) => {
    // An error line in the log means that the server itself failed.
    if (String(chunk).includes('"level":"error"')) crashes.push(String(chunk));
  });
  server.on("message", (message: { crashed?: string }) => message.crashed && crashes.push(message.crashed));
  server.on("exit", (code) => crashes.push(`the process ended with ${code}`));
  await once(server, "message");
  document = await fetch(`http://127.0.0.1:${port}/api/openapi.json`).then((response) => response.json());
  // Only Next can load the code of these routes, so the fuzz test of the running server covers them.
  for (const path of Object.keys(document.paths)) {
    if (/^\/api\/(badge|card)\//.test(path)) delete document.paths[path];
  }
  known = await knownValues(fixture);
});

afterAll(async () => {
  server.removeAllListeners("exit");
  server.kill();
  await fixture.stop();
});

async function heap(): Promise<number> {
  server.send("heap");
  const [{ heapUsed }] = (await once(server, "message")) as [{ heapUsed: number }];
  return heapUsed;
}

describe("the API under generated requests", () => {
  // @threat services: A body or list that is empty, endless, trickles or breaks off
  it(
    `answers ${runs} requests as its OpenAPI document says without leaking memory`,
    async () => {
      const check = createApiCheck(document);
      const statuses: Record<string, number> = {};
      const heaps: number[] = [];
      let count = 0;
      await fc.assert(
        fc.asyncProperty(apiRequests(document, known), async (request) => {
          fc.pre(staysInApi(request));
          const answer = await ask(port, request);
          statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
          expect(crashes.splice(0)).toEqual([]);
          check(request, answer);
          count += 1;
          if (count % 100 === 0) heaps.push(await heap());
        }),
        { numRuns: runs },
      );
      console.info(JSON.stringify({ requests: count, statuses, heaps }));
      if (!isLong) return;
      const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
      // The first thousand requests load and compile code that the rest reuse.
      expect(mean(heaps.slice(-10)) / mean(heaps.slice(10, 20))).toBeLessThan(1.05);
    },
    isLong ? 1_500_000 : 120_000,
  );
});
