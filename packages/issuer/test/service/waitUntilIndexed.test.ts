import { deadOrigin } from "@app-registry/test-kit/httpServer";
import { registerApp } from "@app-registry/test-kit/testRegistry";
import { describe, expect, it } from "vitest";
import { registry, service } from "./sharedService.ts";

describe("waitUntilIndexed", () => {
  /** Block of a recently mined transaction. */
  async function someBlock(): Promise<bigint> {
    const { did } = await registerApp(registry);
    const hash = await registry.publisher.updateStatus({ did, major: 1, status: 1 });
    return (await registry.publisher.waitForReceipt({ hash })).blockNumber;
  }

  it("resolves once the index reaches the block", async () => {
    const blockNumber = await someBlock();
    service.indexDelay = 2;
    let reached = false;
    const waiting = registry.publisher
      .waitUntilIndexed({ blockNumber, baseUrl: service.baseUrl })
      .then(() => {
        reached = true;
      });
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(reached).toBe(false);
    await registry.chain.mine({ blocks: 2 });
    await waiting;
    service.indexDelay = 0;
  });

  it("reports the block of the index on a timeout", async () => {
    const blockNumber = await someBlock();
    service.indexDelay = 1;
    const waiting = registry.publisher.waitUntilIndexed({
      blockNumber,
      baseUrl: service.baseUrl,
      timeoutMs: 1_000,
    });
    await expect(waiting).rejects.toMatchObject({
      name: "IndexTimeoutError",
      blockNumber,
      indexedBlock: blockNumber - 1n,
      retryable: true,
    });
    service.indexDelay = 0;
  });

  it("does not treat a result from the chain as indexed", async () => {
    const blockNumber = await someBlock();
    service.indexAway = true;
    const waiting = registry.publisher.waitUntilIndexed({
      blockNumber,
      baseUrl: service.baseUrl,
      timeoutMs: 300,
    });
    await expect(waiting).rejects.toMatchObject({ name: "IndexTimeoutError", indexedBlock: undefined });
    service.indexAway = false;
  });

  it("reports that the service does not respond, or that none is configured", async () => {
    const wait = { blockNumber: 1n, timeoutMs: 300 };
    await expect(registry.publisher.waitUntilIndexed({ ...wait, baseUrl: deadOrigin })).rejects.toMatchObject(
      {
        name: "IndexTimeoutError",
        cause: { name: "ServiceUnavailableError" },
      },
    );
    await expect(registry.publisher.waitUntilIndexed(wait)).rejects.toMatchObject({ name: "NoServiceError" });
  });
});
