import { type app, version } from "@app-registry/index/tables";
import { listVersions } from "@app-registry/index/versions";
import { beforeAll, describe, expect, it } from "vitest";
import { appRow, db, fill, session } from "./harness/database.ts";
import { searchPage } from "./harness/searchPage.ts";

const didHash = `0x${"11".repeat(32)}` as const;
/** Versions in an unsorted order of publication. As text, 1.2.10 would precede 1.2.9, and 1.10.0 both of them. */
const patches = [10, 9, 255, 2].map((patch) => ({ major: 1, minor: 2, patch }));
const published = [{ major: 1, minor: 10, patch: 0 }, ...patches];

beforeAll(async () => {
  const rows = published.map((one, index) => appRow(BigInt(index + 1), one));
  await fill(rows);
  await db.delete(version);
  const { did, interfaces, dataUrl, dataHash, dataHashAlgorithm, traitHashes } =
    rows[0] as typeof app.$inferInsert;
  const recorded = { did, didHash, interfaces, dataUrl, dataHash, dataHashAlgorithm, traitHashes };
  const transaction = { registeredAt: 1, block: 1, transactionHash: didHash };
  await db
    .insert(version)
    .values(published.map((one) => ({ ...recorded, ...transaction, ...one, tokenId: 1n })));
});

describe("versions", () => {
  it("are listed by number, down to the patch", async () => {
    const versions = (await listVersions(session, didHash)).map((one) => one.version);
    expect(versions).toEqual(["1.10.0", "1.2.255", "1.2.10", "1.2.9", "1.2.2"]);
    expect(await listVersions(session, `0x${"00".repeat(32)}`)).toEqual([]);
  });

  it.each([
    ["1.2.9", ["1.10.0", "1.2.10", "1.2.255", "1.2.9"]],
    ["1.2.10", ["1.10.0", "1.2.10", "1.2.255"]],
    ["1.2.11", ["1.10.0", "1.2.255"]],
  ])("below %s are omitted from a search", async (minVersion, versions) => {
    const { results } = await searchPage({ minVersion });
    expect(results.map((result) => result.version).toSorted()).toEqual(versions);
  });
});
