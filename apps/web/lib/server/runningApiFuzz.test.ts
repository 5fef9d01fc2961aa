import { freePort } from "@app-registry/test-kit/freePort";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, createApiCheck, knownValues, staysInApi } from "./test/apiAnswers.ts";
import type { ApiDocument } from "./test/apiDocument.ts";
import { apiRequests, type KnownValues } from "./test/apiRequests.ts";
import { type NextServer, startNextServer } from "./test/nextServer.ts";
import { type RegistryFixture, startRegistry } from "./test/registryFixture.ts";

const isLong = Boolean(process.env.TEST_LONG);
const runs = isLong ? 5_000 : 150;

let fixture: RegistryFixture;
let server: NextServer;
let port: number;
let document: ApiDocument;
let known: KnownValues;

beforeAll(async () => {
  fixture = await startRegistry(await freePort());
  port = await freePort();
  server = await startNextServer(port, fixture.variables);
  document = await fetch(`${server.origin}/api/openapi.json`).then((response) => response.json());
  known = await knownValues(fixture);
});
afterAll(async () => {
  await Promise.all([server.stop(), fixture.stop()]);
});

describe("the running web server under generated requests to its API", () => {
  // @threat services: A method or path that trips the framework
  it(
    `answers ${runs} requests as its OpenAPI document says without logging an error`,
    async () => {
      const check = createApiCheck(document);
      await fc.assert(
        fc.asyncProperty(apiRequests(document, known), async (request) => {
          fc.pre(staysInApi(request));
          const answer = await ask(port, request);
          // Paths with empty segments or a trailing slash are redirected to the normalised path.
          if (answer.status === 308) expect(answer.headers.location).toMatch(/^\/api(\/|$)/);
          else check(request, answer);
        }),
        { numRuns: runs },
      );
      expect(server.log()).not.toMatch(/"level":"error"|⨯|unhandled/i);
    },
    isLong ? 1_500_000 : 180_000,
  );
});
