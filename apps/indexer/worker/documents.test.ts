import type { DocumentLabels } from "@app-registry/index/document/parseDocument";
import { recordLabels } from "@app-registry/index/document/recordLabels";
import { describe, expect, it } from "vitest";
import { useWorker } from "../test/harness/worker.ts";
import { documentStore } from "./documents.ts";
import type { OffchainRecord } from "./records.ts";

const record: OffchainRecord = {
  ...{ tokenId: "1", did: "did:web:host-1.test", didHash: "0x01", dataHash: "0x02", algorithm: 0 },
  ...{ dataUrl: "https://host-1.test/a.json", traitHashes: [] },
};

const content: DocumentLabels = {
  ...{ name: "Weather", description: "Rain and sun", publisher: "Meteo", image: "https://a.test/1.png" },
  ...{ endpoints: [{ name: "API", endpoint: "https://a.test/1" }], traits: [], toolNames: [] },
  ...{ text: "Rain and sun", problems: [] },
};

describe("document labels", () => {
  const used = useWorker();
  const label = (changes: Partial<DocumentLabels>, at: number) =>
    documentStore(used.index.database, used.index.schemas).label(
      record,
      recordLabels(record, { ...content, ...changes }),
      at,
    );
  const labelledAt = async () => {
    const { database, schemas } = used.index;
    const [row] = await database.query(`select labelled_at::float8 as at from ${schemas.offchain}.label`);
    return row?.at;
  };

  it.each<[string, Partial<DocumentLabels>]>([
    ["spelling of the name", { name: "WEATHER" }],
    ["punctuation of the description", { description: "Rain, and sun!" }],
    ["capitals of the publisher", { publisher: "METEO" }],
    ["image", { image: "https://a.test/2.png" }],
    ["endpoint", { endpoints: [{ name: "API", endpoint: "https://a.test/2" }] }],
  ])("are rewritten if the document changes the %s", async (_what, changes) => {
    await label({}, 1);
    await label(changes, 2);
    expect(await labelledAt()).toBe(2);
  });

  it("are not rewritten if the document is unchanged", async () => {
    await label({}, 1);
    await used.index.mine(2_000);
    await label({}, 2);
    expect(await labelledAt()).toBe(1);
    expect(await used.index.changedAt(1)).toBe(1_000);
  });
});
