import { eventually } from "@app-registry/test-kit/eventually";
import { freePort } from "@app-registry/test-kit/freePort";
import { found, search } from "@app-registry/test-kit/indexReads";
import { type Chain, type Indexer, startWorker } from "@app-registry/test-kit/startIndexer";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { localAccount } from "../../../../scripts/stack/accounts.ts";
import type { Service } from "../../../../scripts/stack/processes.ts";
import { type DocumentHost, startDocumentHost } from "./documentHost.ts";
import type { IndexedChain } from "./indexedChain.ts";
import { register, type TestService } from "./registry.ts";

const alice = localAccount(1);
const environment = { ALLOW_LOOPBACK_DIDS: "true" };

/** Index, and the port of its indexer's metrics. */
export type DocumentPlace = IndexedChain & { metricsPort: number };

/** Tests two workers of an index, which may contain other services. */
export function describeDocuments(place: DocumentPlace): void {
  describe("documents that are only at their dataUrl", () => {
    let chain: Chain;
    let host: DocumentHost;
    let indexer: Indexer;
    let workers: [Service, Service];
    /** Ports of the processes' health endpoints and metrics. */
    const metricsPorts = new Map<Service, number>();

    async function start(): Promise<Service> {
      const port = await freePort();
      const started = await startWorker(chain, { ...environment, METRICS_PORT: String(port) });
      metricsPorts.set(started, port);
      return started;
    }

    beforeAll(async () => {
      ({ chain, indexer } = place);
      host = await startDocumentHost();
      await register(
        chain,
        alice,
        served("atlas", { name: "Sea atlas", description: "Tides", traits: ["sea"] }),
      );
      await register(chain, alice, { ...served("other", { name: "Recorded" }), dataUrl: host.put("/x", {}) });
      metricsPorts.set(indexer, place.metricsPort);
      const first = await start();
      await eventually(async () => expect(await isWorking(first)).toBe(true));
      workers = [first, await start()];
    });

    afterAll(async () => {
      for (const each of workers ?? []) await each.stop();
      await host?.down();
    });

    /** Returns a service whose JSON is only at the host, under its name. */
    function served(name: string, metadata: Record<string, unknown>): TestService {
      const dataUrl = host.put(`/${name}.json`, metadata);
      return { did: `did:web:${name}.test`, metadata, dataUrl, onChain: false };
    }

    const requestsFor = (path: string) => host.requests.filter((request) => request.path === path);
    const getResult = async (did: string) => (await search(indexer, { did, status: "any" })).results[0];
    const probe = (service: Service, path: string) =>
      fetch(`http://127.0.0.1:${metricsPorts.get(service)}${path}`);
    const isWorking = async (service: Service) =>
      /^app_registry_documents_working 1$/m.test(await (await probe(service, "/metrics")).text());

    it("are found by their words and label their records", async () => {
      await eventually(async () => expect(await found(indexer, { q: "tides" })).toEqual(["atlas.test"]));
      expect(await found(indexer, { q: "sea atlas", traits: "sea" })).toEqual(["atlas.test"]);
      expect(await getResult("did:web:atlas.test")).toMatchObject({
        name: "Sea atlas",
        description: "Tides",
        traits: ["sea"],
        document: { source: "dataUrl", state: "served", checkedAt: expect.any(Number) },
        facts: { control: "pass", content: "pass", attested: "fail" },
      });
      const mine = (dids: string[]) => dids.filter((did) => ["atlas.test", "other.test"].includes(did));
      expect(mine(await found(indexer, { content: "pass" }))).toEqual(["atlas.test"]);
      expect(mine(await found(indexer, { sort: "name" }))).toEqual(["other.test", "atlas.test"]);
    });

    it("are requested once, by one of the two workers that share the queue", async () => {
      await eventually(async () => expect(await isWorking(workers[1])).toBe(true));
      const metrics = await (await probe(workers[0], "/metrics")).text();
      expect(metrics).toMatch(/^app_registry_documents_checked_total\{state="served"\} 1$/m);
      expect(metrics).toMatch(/^app_registry_queue_jobs\{queue="documents",state="due"\} \d+$/m);
      expect(metrics).toMatch(/^app_registry_outbound_requests_total\{outcome="2xx"\} [1-9]/m);
      const ofIndexer = await (await probe(indexer, "/metrics")).text();
      expect(ofIndexer).toMatch(/^app_registry_index_lag_blocks \d+$/m);
      expect(ofIndexer).not.toContain("app_registry_documents_working");
      for (const service of metricsPorts.keys()) expect((await probe(service, "/readyz")).status).toBe(200);
      expect(requestsFor("/atlas.json")).toHaveLength(1);
    });

    it("are found by the other worker when the one that looks for records stops", async () => {
      const before = host.requests.length;
      await workers[0].stop();
      await register(chain, alice, served("next", { name: "Harbour" }));
      await eventually(async () => expect(await found(indexer, { q: "harbour" })).toEqual(["next.test"]));
      // The failed document of /x is retried.
      const again = host.requests.slice(before).filter(({ path }) => path !== "/x");
      expect(again.map(({ path }) => path)).toEqual(["/next.json"]);
    });
  });
}
