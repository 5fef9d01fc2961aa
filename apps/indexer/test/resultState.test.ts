import { app } from "ponder:schema";
import { recordLabels } from "@app-registry/index/document/recordLabels";
import { didHash, parseSearchQuery } from "@app-registry/sdk";
import { eq } from "ponder";
import { beforeEach, describe, expect, it } from "vitest";
import { appRow, db, fill } from "./harness/database.ts";
import { searchPage } from "./harness/searchPage.ts";

const did = "did:web:service-1.test";
const first = appRow(1n, { name: "Weather", did, didHash: didHash(did) });

/** Updates the record in place like the indexer. */
const change = (row: Partial<typeof app.$inferInsert>) => db.update(app).set(row).where(eq(app.tokenId, 1n));

/** Returns the record's results of a search by words and a search without words. */
async function answers() {
  const pages = [
    await searchPage(parseSearchQuery({ did, status: "any", sort: "newest" })),
    await searchPage(parseSearchQuery({ q: "service 1 test", status: "any" })),
  ];
  const results = pages.map((page) => page.results.find(({ tokenId }) => tokenId === "1"));
  expect(results[0]).toEqual(results[1]);
  return results[0];
}

describe("a repeated search result", () => {
  beforeEach(async () => {
    await fill([first]);
    expect(await answers()).toMatchObject({ name: "Weather", version: "1.0.0", status: 0, latest: true });
  });

  it("shows each change of its record at once", async () => {
    await change({ status: 1 });
    expect(await answers()).toMatchObject({ status: 1 });
    await change({ owner: "0x1111111111111111111111111111111111111111" });
    expect(await answers()).toMatchObject({ owner: "0x1111111111111111111111111111111111111111" });
    await change({ minor: 1, dataUrl: "https://service.test/1.1", changedAt: 2 });
    expect(await answers()).toMatchObject({ version: "1.1.0", dataUrl: "https://service.test/1.1" });
    const document = {
      text: "",
      description: null,
      publisher: null,
      image: null,
      endpoints: [],
      problems: [],
    };
    const named = { ...document, name: "Météo", traits: [], toolNames: [] };
    await change(recordLabels({ did, traitHashes: [] }, named));
    expect(await answers()).toMatchObject({ name: "Météo" });
  });

  it("shows the earlier state of its record after a reorganization", async () => {
    await change({ status: 2, changedBlock: 2 });
    expect(await answers()).toMatchObject({ status: 2, changedBlock: 2 });
    await change({ status: 0, changedBlock: 1 });
    expect(await answers()).toMatchObject({ status: 0, changedBlock: 1 });
    await fill([appRow(1n, { name: "Another", did, didHash: didHash(did) })]);
    expect(await answers()).toMatchObject({ name: "Another" });
    await fill([]);
    expect(await answers()).toBeUndefined();
  });

  it("is the latest major until a higher one is Active, without a change of its own record", async () => {
    await db.insert(app).values(appRow(2n, { did, didHash: didHash(did), major: 2 }));
    expect(await answers()).toMatchObject({ name: "Weather", latest: false });
    await db.delete(app).where(eq(app.tokenId, 2n));
    expect(await answers()).toMatchObject({ name: "Weather", latest: true });
  });

  it("loses its labels if its JSON is no longer on the chain", async () => {
    await change({ ...recordLabels({ did, traitHashes: [] }, null), pointer: null, dataHash: didHash(did) });
    const answer = await answers();
    expect(answer).toMatchObject({ document: { source: null } });
    expect(answer).not.toHaveProperty("name");
  });
});
