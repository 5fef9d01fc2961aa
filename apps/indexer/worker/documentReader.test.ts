import { canonicalizeValue, dataHash, traitHash } from "@app-registry/sdk";
import { afterAll, describe, expect, it } from "vitest";
import { createDocumentReader } from "./checkDocument.ts";
import type { OffchainRecord } from "./records.ts";

const metadata = { name: "Weather", traits: ["weather"] };
const record: OffchainRecord = {
  tokenId: "1",
  did: "did:web:weather.test",
  didHash: "0x",
  dataUrl: "https://weather.test/metadata.json",
  dataHash: dataHash(canonicalizeValue(metadata), 0),
  algorithm: 0,
  traitHashes: [traitHash("weather")],
};

describe("createDocumentReader", () => {
  // The time limit is long because the machine may be slow.
  const reader = createDocumentReader(60_000);
  afterAll(() => reader.close());

  it("rejects a document that exceeds the time limit, and reads the next one", async () => {
    const impatient = createDocumentReader(1);
    const given = await Promise.all([impatient.read("{}", record), impatient.read("[]", record)]);
    await impatient.close();
    expect(given).toEqual([
      { is: "no-document", reason: "The document needs too much time or memory to process." },
      { is: "no-document", reason: "The document needs too much time or memory to process." },
    ]);
  });

  it("does not block the event loop while it reads", async () => {
    const hostile = `{"endpoints":[${"{},".repeat(100_000)}{}]}`;
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    const hash = dataHash(hostile, 0);
    expect(await reader.read(hostile, { ...record, dataHash: hash })).toMatchObject({ is: "recorded" });
    clearInterval(timer);
    expect(turns).toBeGreaterThan(10);
  });
});
