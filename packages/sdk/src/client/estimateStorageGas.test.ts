import { createHash } from "node:crypto";
import { mintParameters, newDid, restMetadata, testRegistry } from "@app-registry/test-kit/testRegistry";
import { describe, expect, it } from "vitest";
import { MAX_STORED_METADATA_SIZE } from "../metadata/limits.ts";
import { estimateCall } from "../publish/callCost.ts";
import { estimateStorageGas } from "./estimateStorageGas.ts";

/** Text without repetition, as documents have little. */
const text = (length: number) =>
  createHash("shake256", { outputLength: length }).digest("base64").slice(0, length);

describe("estimateStorageGas", () => {
  it.each([4_096, 20_000])("is close to the gas of a real publication of %i bytes", async (length) => {
    const { publisher, attest } = await testRegistry();
    const did = newDid();
    await attest(did, publisher.account.address);
    const minted = mintParameters(did, restMetadata("Weather", { description: text(length) }));
    const [json, hash] = await Promise.all(
      [minted.metadataJson, ""].map((metadataJson) =>
        estimateCall(
          publisher,
          publisher.prepareMint({ ...minted, metadataJson }),
          publisher.account.address,
        ),
      ),
    );
    const estimate = await estimateStorageGas(publisher, { json: minted.metadataJson, isUpdate: false });
    const ratios = [Number(estimate.chain) / Number(json?.gas), Number(estimate.hash) / Number(hash?.gas)];
    for (const ratio of ratios) expect(Math.abs(ratio - 1), ratios.join(" and ")).toBeLessThan(0.15);
  });

  it("estimates no storage on the chain for a JSON that is too large", async () => {
    const { publisher } = await testRegistry();
    const estimate = (length: number) =>
      estimateStorageGas(publisher, { json: "a".repeat(length), isUpdate: true });
    expect((await estimate(MAX_STORED_METADATA_SIZE)).chain).toBeGreaterThan(5_000_000n);
    expect(await estimate(MAX_STORED_METADATA_SIZE + 1)).toEqual({ hash: 56_000n, chain: undefined });
  });
});
