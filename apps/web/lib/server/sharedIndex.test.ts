import { freePort } from "@app-registry/test-kit/freePort";
import { afterAll, beforeAll, describe } from "vitest";
import { describeNewcomers } from "./test/describeNewcomers.ts";
import { describeOperatorViews } from "./test/describeOperatorViews.ts";
import type { IndexedRegistry } from "./test/indexedRegistry.ts";
import { startRegistry } from "./test/registryFixture.ts";
import { startIndex } from "./test/startIndex.ts";

// These suites share an indexer, which takes ten seconds of CPU time to start.
describe("a registry with an index", () => {
  const place = {} as IndexedRegistry;

  beforeAll(async () => {
    place.fixture = await startRegistry(await freePort());
    const { DEPLOYMENT_FILE: deploymentFile = "" } = place.fixture.variables;
    place.index = await startIndex({ rpcUrl: place.fixture.rpcUrl, deploymentFile });
  });
  afterAll(async () => {
    await place.index?.stop();
    await place.fixture?.stop();
  });

  describe("of two services", () => describeOperatorViews(place));
  describe("of a service that others request", () => describeNewcomers(place));
});
