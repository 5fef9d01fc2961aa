import { createHash } from "node:crypto";
import {
  mintParameters,
  newDid,
  registerApp,
  restMetadata,
  testRegistry,
} from "@app-registry/test-kit/testRegistry";
import { describe, expect, it } from "vitest";
import { MAX_STORED_METADATA_SIZE } from "../metadata/limits.ts";
import { estimateCall, estimateStorageCost } from "./describeTransaction.ts";

/** Text without repetition, as documents have little. */
const text = (length: number) =>
  createHash("shake256", { outputLength: length }).digest("base64").slice(0, length);

describe("estimateStorageCost", () => {
  it.each([4_096, 20_000])("is close to the gas of a real publication of %i bytes", async (length) => {
    const registry = await testRegistry();
    const { publisher, attest } = registry;
    // A publisher's first record needs more gas.
    await registerApp(registry);
    const did = newDid();
    await attest(did, publisher.account.address);
    const minted = mintParameters(did, restMetadata("Weather", { description: text(length) }));
    const costs = [minted.metadataJson, ""].map(async (metadataJson) => {
      const call = publisher.prepareMint({ ...minted, metadataJson });
      const { gas, gasPrice } = await estimateCall(publisher, call, publisher.account.address);
      return Number(gas * gasPrice);
    });
    const [json = 0, hash = 0] = await Promise.all(costs);
    const estimate = await estimateStorageCost(publisher, { json: minted.metadataJson, isUpdate: false });
    const ratios = [Number(estimate.chain) / json, Number(estimate.hash) / hash];
    for (const ratio of ratios) expect(Math.abs(ratio - 1), ratios.join(" and ")).toBeLessThan(0.15);
  });

  it("estimates the largest JSON that can be stored, and no larger one", async () => {
    const { publisher } = await testRegistry();
    const estimate = (length: number) =>
      estimateStorageCost(publisher, { json: "a".repeat(length), isUpdate: true });
    const { chain, hash } = await estimate(MAX_STORED_METADATA_SIZE);
    expect(chain / hash).toBeGreaterThan(90n);
    await expect(estimate(MAX_STORED_METADATA_SIZE + 1)).rejects.toThrow("MetadataTooLarge");
  });
});
