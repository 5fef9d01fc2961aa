import { canonicalizeValue, dataHash, traitHash } from "@app-registry/sdk";
import { afterAll, describe, expect, it } from "vitest";
import { createDocumentReader } from "./documentReader.ts";
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

describe("a reader of documents", () => {
  // Nothing here is slow of its own, but the machine may be.
  const reader = createDocumentReader(60_000);
  afterAll(() => reader.close());

  it("reads the labels out of the recorded document, however it is laid out", async () => {
    const read = await reader.read(JSON.stringify(metadata, null, 4), record);
    expect(read).toMatchObject({
      is: "recorded",
      kept: { labels: { name: "Weather", traits: ["weather"] } },
    });
  });

  it("gives the hash of another document, and the place where a text is none", async () => {
    expect(await reader.read("{}", record)).toEqual({ is: "another", dataHash: dataHash("{}", 0) });
    expect(await reader.read('{"a": 9007199254740993}', record)).toMatchObject({
      is: "no-document",
      reason: expect.stringContaining("/a"),
    });
  });

  it("gives up a document that takes too long, and reads the next", async () => {
    const impatient = createDocumentReader(1);
    const given = await Promise.all([impatient.read("{}", record), impatient.read("[]", record)]);
    await impatient.close();
    expect(given).toEqual([
      { is: "no-document", reason: "The document needs too much time or memory to process." },
      { is: "no-document", reason: "The document needs too much time or memory to process." },
    ]);
  });

  it("leaves the process free while it reads", async () => {
    const hostile = `{"endpoints":[${"{},".repeat(300_000)}{}]}`;
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    const hash = dataHash(hostile, 0);
    expect(await reader.read(hostile, { ...record, dataHash: hash })).toMatchObject({ is: "recorded" });
    clearInterval(timer);
    expect(turns).toBeGreaterThan(10);
  });
});
