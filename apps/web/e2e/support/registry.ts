import {
  type AppRegistryClient,
  createAppRegistryClient,
  dataHash,
  dataUrlPath,
  parseDeployment,
  type SearchResult,
  searchPageSchema,
  type Version,
} from "@app-registry/sdk";
import { expect, type Page } from "@playwright/test";
import { createPublicClient, http } from "viem";
import { RPC_URL } from "./chain.ts";

/** Direct access of the tests to the registry's HTTP routes and the chain. */
export interface Registry {
  client: AppRegistryClient;
  /** Public search results. */
  search: (query: Record<string, string>) => Promise<SearchResult[]>;
  /**
   * Waits until the index contains the chain's last block. A page may show cached data of an older block for half a
   * minute.
   */
  untilIndexed: () => Promise<void>;
  /** Returns the document that the registry serves for a version, its hash, and the hash that the chain records. */
  document: (did: string, version: Version) => Promise<{ text: string; hash: string; recorded: string }>;
}

/** Opens the registry of the stack under test. */
export async function openRegistry(page: Page): Promise<Registry> {
  // The server may close an idle connection just when the request is sent.
  const deployment = parseDeployment(
    await (await page.request.get("/api/deployment", { maxRetries: 2 })).text(),
  );
  const publicClient = createPublicClient({ transport: http(RPC_URL), pollingInterval: 100 });
  const client = createAppRegistryClient({ deployment, publicClient });
  return {
    client,
    async search(query) {
      const response = await page.request.get(`/api/search?${new URLSearchParams(query)}`);
      expect(response.status()).toBe(200);
      return searchPageSchema.parse(await response.json()).results;
    },
    async untilIndexed() {
      const head = await publicClient.getBlockNumber({ cacheTime: 0 });
      const indexed = async () => (await (await page.request.get("/api/search?limit=1")).json()).block;
      await expect.poll(indexed).toBeGreaterThanOrEqual(Number(head));
    },
    async document(did, version) {
      const response = await page.request.get(dataUrlPath(did, version));
      expect(response.status()).toBe(200);
      const text = await response.text();
      const record = await client.getVersionRecord({ did, version });
      return { text, hash: dataHash(text, record.dataHashAlgorithm), recorded: record.dataHash };
    },
  };
}
