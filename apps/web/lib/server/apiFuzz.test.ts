import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { answerRequest, openApiDocument } from "./api.ts";
import { createApiCheck, knownValues } from "./test/apiAnswers.ts";
import type { ApiDocument } from "./test/apiDocument.ts";
import { type ApiRequest, apiRequests, type KnownValues } from "./test/apiRequests.ts";
import { provideRegistry } from "./test/registryFixture.ts";

const isLong = Boolean(process.env.TEST_LONG);
const runs = isLong ? 5_000 : 300;

const document = openApiDocument("http://localhost") as unknown as ApiDocument;
// Only Next can load the code of these routes.
for (const path of Object.keys(document.paths)) {
  if (/^\/api\/(badge|card)\//.test(path)) delete document.paths[path];
}

const fixture = provideRegistry();
let known: KnownValues;
beforeAll(async () => {
  // The server reads its configuration at the first request.
  for (const [name, value] of Object.entries(fixture.variables)) vi.stubEnv(name, value);
  known = await knownValues(fixture);
});
afterAll(() => void vi.unstubAllEnvs());

async function ask({ method, target, headers, body, chunked }: ApiRequest) {
  const length = body === undefined || chunked ? {} : { "content-length": `${Buffer.byteLength(body)}` };
  const response = await answerRequest(
    new Request(new URL(`http://localhost${target}`), {
      method,
      headers: { ...headers, ...length },
      ...(body !== undefined && { body: new Blob([body]).stream(), duplex: "half" }),
    } as RequestInit),
  );
  const type = response.headers.get("content-type")?.split(";", 1)[0] ?? null;
  const answered = Object.fromEntries(response.headers);
  return { status: response.status, type, headers: answered, body: await response.text() };
}

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

/** Returns the bytes in use after a collection. */
function measureHeap(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

describe("the API under generated requests", () => {
  // @threat services: A body or list that is empty, endless, trickles or breaks off
  it(
    `answers ${runs} requests as its OpenAPI document says without leaking memory`,
    async () => {
      const failures: string[] = [];
      const log = vi.spyOn(console, "error").mockImplementation((line: string) => {
        // An error line in the log means that the server itself failed.
        if (line.includes('"level":"error"')) failures.push(line);
      });
      const check = createApiCheck(document);
      const statuses: Record<string, number> = {};
      const heaps: number[] = [];
      let count = 0;
      await fc.assert(
        fc.asyncProperty(apiRequests(document, known), async (request) => {
          // Dot segments of a target may leave the API.
          fc.pre(new URL(`http://localhost${request.target}`).pathname.startsWith("/api/"));
          const answer = await ask(request);
          statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
          expect(failures.splice(0)).toEqual([]);
          check(request, answer);
          count += 1;
          if (count % 100 === 0) heaps.push(measureHeap());
        }),
        { numRuns: runs },
      );
      log.mockRestore();
      console.info(JSON.stringify({ requests: count, statuses, heaps }));
      if (!isLong) return;
      const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
      // The first thousand requests load and compile code that the rest reuse.
      expect(mean(heaps.slice(-10)) / mean(heaps.slice(10, 20))).toBeLessThan(1.05);
    },
    isLong ? 1_500_000 : 120_000,
  );
});
