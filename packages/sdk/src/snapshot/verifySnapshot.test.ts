import { createHash } from "node:crypto";
import { verifyTypedData } from "ethers";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { describe, expect, it } from "vitest";
import {
  InvalidSnapshotError,
  type SnapshotManifest,
  type SnapshotRecord,
  signSnapshot,
  snapshotLine,
  snapshotTypedData,
  verifySnapshot,
} from "../index.ts";
import type { SnapshotFile } from "./verifySnapshot.ts";

const account = privateKeyToAccount(generatePrivateKey());
const stranger = privateKeyToAccount(generatePrivateKey());
const registry = "0x00000000000000000000000000000000000000AA";
const takenAt = Date.UTC(2026, 10, 24, 0, 10) / 1_000;

const record = (tokenId: number, more: Partial<SnapshotRecord> = {}): SnapshotRecord => ({
  ...{ tokenId: String(tokenId), did: `did:web:host-${tokenId}.example:é`, version: "1.0.0" },
  dataHash: `0x${"ab".repeat(32)}`,
  ...{ outcome: "answers", drift: "same", probedAt: takenAt - 60, answeredAt: takenAt - 60 },
  ...more,
});
const lines = [1, 2, 10, 30].map((tokenId) => snapshotLine(record(tokenId)));
const fileOf = (all: readonly string[]) => all.map((line) => `${line}\n`).join("");
const ndjson = fileOf(lines);

const hashOf = (file: string | Buffer) => `0x${createHash("sha256").update(file).digest("hex")}` as const;
const manifestOf = (file: string, changes: Partial<SnapshotManifest> = {}, by = account) =>
  signSnapshot(
    {
      ...{ chainId: 31337, registry, day: "2026-11-24", takenAt, block: 7 },
      services: file.split("\n").length - 1,
      bytes: Buffer.byteLength(file),
      sha256: hashOf(file),
      ...changes,
    },
    by,
  );

const manifest = await manifestOf(ndjson);
const codesOf = async (file: SnapshotFile, of: unknown = manifest) =>
  (await verifySnapshot({ manifest: of, ndjson: file })).problems.map(({ code }) => code);

describe("a snapshot", () => {
  it("holds when every line is as it was signed", async () => {
    const report = await verifySnapshot({
      manifest: JSON.stringify(manifest),
      ndjson,
      signer: account.address,
    });
    expect(report).toEqual({ ok: true, manifest, problems: [] });
  });

  it("is checked the same in whatever pieces it comes, as a stream or not", async () => {
    const bytes = new TextEncoder().encode(ndjson);
    for (const size of [1, 7, 300, 100_000]) {
      const pieces: Uint8Array[] = [];
      for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size));
      expect(await codesOf(pieces)).toEqual([]);
      expect(await codesOf(new Blob(pieces as Uint8Array<ArrayBuffer>[]).stream())).toEqual([]);
    }
  });

  it("has the hash and the signer that node:crypto and ethers find", async () => {
    expect(manifest.sha256).toBe(hashOf(ndjson));
    const { domain, types, message } = snapshotTypedData(manifest);
    const mutable = { Snapshot: [...types.Snapshot] };
    expect(verifyTypedData(domain, mutable, message, manifest.signature)).toBe(account.address);
  });

  it("may be empty", async () => {
    expect(await codesOf("", await manifestOf(""))).toEqual([]);
    expect(await codesOf("\n", await manifestOf(""))).toContain("size");
  });

  it.each<[string, string, string[]]>([
    ["a changed line", ndjson.replace('"answers"', '"failings'), ["line", "hash"]],
    ["another outcome", ndjson.replace('"answers"', '"failing"'), ["hash"]],
    ["two lines in the other order", fileOf([1, 0, 2, 3].map((at) => lines[at] ?? "")), ["order", "hash"]],
    ["a line too few", fileOf(lines.slice(1)), ["size", "count", "hash"]],
    ["no line", "", ["size", "count", "hash"]],
    ["a line twice", fileOf([...lines, lines[3] ?? ""]), ["duplicate", "size"]],
    ["no end", ndjson.slice(0, -1), ["end", "size", "count", "hash"]],
    ["half of it", ndjson.slice(0, 500), ["end", "size", "count", "hash"]],
    ["line breaks of Windows", ndjson.replaceAll("\n", "\r\n"), ["line", "line", "line", "line", "size"]],
    ["something behind it", `${ndjson}x`, ["end", "size"]],
    ["an empty line behind it", `${ndjson}\n`, ["line", "size"]],
    ["a byte order mark", `\ufeff${ndjson}`, ["line", "size"]],
  ])("does not hold with %s", async (_, file, codes) => {
    expect(await codesOf(file)).toEqual(codes);
  });

  it.each<[string, (line: string) => string]>([
    ["spaces", (line) => line.replace(":", ": ")],
    [
      "keys in another order",
      (line) => JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(line)).reverse())),
    ],
    ["a key twice", (line) => line.replace("{", '{"tokenId":"9",')],
    ["an escape that is not needed", (line) => line.replace("é", "\\u00e9")],
    ["a key more", (line) => line.replace(/}$/, ',"z":1}')],
    ["a key less", (line) => line.replace(/,"version":"[^"]*"/, "")],
    ["a number in another form", (line) => line.replace(/"probedAt":(\d+)/, '"probedAt":$1.0')],
    ["a time that is no number", (line) => line.replace(/"probedAt":(\d+)/, '"probedAt":"$1"')],
    ["an outcome that is none", (line) => line.replace("answers", "perfect")],
    ["a token id with a zero before it", (line) => line.replace('"tokenId":"', '"tokenId":"0')],
    ["a prototype", (line) => line.replace("{", '{"__proto__":{},')],
    ["nothing but null", () => "null"],
  ])("does not hold with a line of %s, even if that was signed", async (_, change) => {
    const file = fileOf([change(lines[0] ?? ""), ...lines.slice(1)]);
    expect(await codesOf(file, await manifestOf(file))).toEqual(["line"]);
  });

  it("does not hold with bytes that are no UTF-8", async () => {
    const file = Buffer.from(ndjson);
    file[file.indexOf("é")] = 0xff;
    expect(await codesOf(file, await manifestOf(ndjson, { sha256: hashOf(file) }))).toEqual(["line"]);
  });

  it("keeps nothing of a line that never ends, and reads no further than the manifest's size", async () => {
    let pulled = 0;
    let isCancelled = false;
    const piece = new Uint8Array(65_536).fill(0x61);
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled++;
        controller.enqueue(piece);
      },
      cancel() {
        isCancelled = true;
      },
    });
    expect(await codesOf(endless, await manifestOf(ndjson, { bytes: 1_000_000 }))).toEqual(["end", "size"]);
    expect({ pulled: pulled < 20, isCancelled }).toEqual({ pulled: true, isCancelled: true });
    const long = `${snapshotLine(record(1)).padEnd(3_000)}\n${lines[1]}\n`;
    expect(await codesOf(long, await manifestOf(long))).toEqual(["line-too-long"]);
  });

  it("names no more than 20 lines that are wrong", async () => {
    const file = "x\n".repeat(1_000);
    const { problems } = await verifySnapshot({ manifest: await manifestOf(file), ndjson: file });
    expect(problems).toHaveLength(20);
    expect(problems[19]).toEqual({
      ...{ code: "line", line: 20, message: "Line 20 is not the canonical JSON of a record." },
    });
  });
});

describe("a manifest", () => {
  it("of another day, chain or registry is not taken for the one that was asked for", async () => {
    const other = await manifestOf(ndjson, { day: "2026-11-25", takenAt: takenAt + 86_400 });
    const asked = {
      signer: account.address,
      registry: { chainId: 31337, address: registry },
      day: "2026-11-24",
    } as const;
    const codes = async (of: SnapshotManifest) =>
      (await verifySnapshot({ manifest: of, ndjson, ...asked })).problems.map(({ code }) => code);
    expect(await codes(manifest)).toEqual([]);
    expect(await codes(other)).toEqual(["day"]);
    expect(await codes(await manifestOf(ndjson, { chainId: 1 }))).toEqual(["registry"]);
    expect(await codes(await manifestOf(ndjson, { registry: stranger.address }))).toEqual(["registry"]);
    expect(await codes(await manifestOf(ndjson, {}, stranger))).toEqual(["signer"]);
    expect(await codes(await manifestOf(ndjson, { takenAt: takenAt - 86_400 }))).toEqual(["day"]);
  });

  it.each<[string, Partial<SnapshotManifest>]>([
    ["chain", { chainId: 1 }],
    ["registry", { registry: stranger.address }],
    ["day", { day: "2026-11-25", takenAt: takenAt + 86_400 }],
    ["time", { takenAt: takenAt + 1 }],
    ["block", { block: 8 }],
    ["signer", { signer: stranger.address }],
    ["signature", { signature: `0x${"00".repeat(65)}` }],
    ["signature's length", { signature: "0x01" }],
  ])("is not signed once its %s is another", async (_, change) => {
    expect(await codesOf(ndjson, { ...manifest, ...change })).toEqual(["signature"]);
  });

  it("is refused when it has not the form of one", async () => {
    const { sha256: _hash, ...incomplete } = manifest;
    for (const wrong of [
      null,
      "{",
      "x".repeat(100_000),
      incomplete,
      { ...manifest, bytes: -1 },
      { ...manifest, takenAt: 2 ** 53 - 1 },
    ]) {
      await expect(verifySnapshot({ manifest: wrong, ndjson })).rejects.toBeInstanceOf(InvalidSnapshotError);
    }
  });
});
