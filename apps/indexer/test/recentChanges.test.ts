import { didAttestation, document, head, issuer, version } from "ponder:schema";
import { recentChanges } from "@app-registry/index/recentChanges";
import { beforeEach, describe, expect, it } from "vitest";
import { appRow, attest, db, fill, session, workerDatabase, workerSchemas } from "./harness/database.ts";

const { offchain } = workerSchemas;
const hash = (digit: number) => `0x${String(digit).repeat(64)}` as const;

const one = appRow(1n, { minor: 2, dataHash: hash(2) });
const two = appRow(2n);
const changes = (tokenIds: string) => recentChanges(session, tokenIds.split(","));

/** Stores a version of the first record, and its document if it names tools. */
async function publish(minor: number, block: number, toolNames?: string[]): Promise<void> {
  const { didHash, did, tokenId } = one;
  const dataHash = hash(minor);
  await db.insert(version).values({
    ...{ tokenId, didHash, did, dataHash, major: 1, minor, patch: 0, interfaces: 2, dataUrl: "" },
    ...{ dataHashAlgorithm: 0, traitHashes: [], registeredAt: block, block, transactionHash: hash(0) },
  });
  if (!toolNames) return;
  await db.insert(document).values({
    ...{ didHash, dataHash, toolNames, pointer: hash(0), size: 1, storedAt: block },
    ...{ endpoints: [], traits: [], text: "", problems: [] },
  });
}

beforeEach(async () => {
  for (const table of [version, document, didAttestation, issuer, head]) await db.delete(table);
  await workerDatabase.run(`truncate ${offchain}.probe, ${offchain}.probe_day`);
  await fill([one, two]);
});

describe("recentChanges", () => {
  it("names the version before the current one, in order of blocks, and changed tools", async () => {
    await publish(0, 1, ["old"]);
    await publish(5, 2, ["echo", "sum"]);
    await publish(2, 3, ["sum", "max", "min", "add"]);
    expect((await changes("1,2")).versions).toEqual([
      {
        tokenId: "1",
        before: "1.5.0",
        summary: "tool echo removed, tool max added, tool min added and 1 more",
      },
    ]);
  });

  it("names no tools if a document is not on the chain", async () => {
    await publish(1, 1);
    await publish(2, 2, ["sum"]);
    expect((await changes("1")).versions).toEqual([{ tokenId: "1", before: "1.1.0", summary: "" }]);
  });

  it("reports control from its end on, and again when it is regained after the minting", async () => {
    expect(await changes("1,2")).toEqual({ events: [], versions: [] });
    await attest(one);
    const state = async () => (await changes("1,2")).events.map(({ kind, at }) => `${kind} ${at}`);
    expect(await state()).toEqual([]);
    await db.update(head).set({ timestamp: 99 });
    expect(await state()).toEqual([]);
    await db.update(head).set({ timestamp: 100 });
    expect(await state()).toEqual(["uncontrolled 100"]);
    await db
      .update(didAttestation)
      .set({ startedAt: 100, maturesAt: 130, expiresAt: 200, lengthenedAt: 100 });
    await db.update(head).set({ timestamp: 120 });
    expect(await state()).toEqual([]);
    await db.update(head).set({ timestamp: 130 });
    expect(await state()).toEqual(["controlled 130"]);
    await db.update(issuer).set({ status: "distrusted", distrustedSince: 100, distrustedAt: 140 });
    await db.update(head).set({ timestamp: 140 });
    expect(await state()).toEqual(["uncontrolled 140"]);
  });

  it("lists changes between live checks of the records, newest first", async () => {
    const { didHash, dataHash, did } = one;
    await workerDatabase.run(`insert into ${offchain}.probe
      (token_id, did_hash, queued_hash, data_hash, algorithm, answered_at) values
      (1, '${didHash}', '${dataHash}', '${dataHash}', 0, 1), (2, '${two.didHash}', '0x', '0x', 0, 1)`);
    await workerDatabase.run(`insert into ${offchain}.probe_day (token_id, day, events) values
      (1, '2026-11-23', '{"stopped": {"at": 7.5, "detail": "MCP: It refuses connections."}}'),
      (1, '2026-11-24', '{"answers": {"at": 9, "detail": "x"}}'),
      (2, '2026-11-24', '{"same": {"at": 8, "detail": "y"}}')`);
    expect((await changes("1,77")).events).toEqual([
      { tokenId: "1", did, version: "1.2.0", at: 9, kind: "answers", detail: "x" },
      { tokenId: "1", did, version: "1.2.0", at: 7, kind: "stopped", detail: expect.any(String) },
    ]);
  });
});
