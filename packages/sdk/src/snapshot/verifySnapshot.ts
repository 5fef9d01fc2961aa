import { sha256 } from "@noble/hashes/sha2.js";
import { type Address, isAddressEqual } from "viem";
import { bytesToHex, recoverTypedDataAddress, stringToBytes } from "viem/utils";
import {
  parseSnapshotManifest,
  type SnapshotManifest,
  snapshotLine,
  snapshotRecordSchema,
  snapshotTypedData,
  utcDay,
} from "./snapshot.ts";

/** Why a snapshot is not what its manifest, or the caller, says. */
export interface SnapshotProblem {
  code:
    | "hash"
    | "size"
    | "count"
    | "order"
    | "duplicate"
    | "line"
    | "line-too-long"
    | "end"
    | "day"
    | "signature"
    | "signer"
    | "registry";
  /** A sentence that says why. */
  message: string;
  /** Line of the file, from 1. */
  line?: number;
}

/** What came of checking a snapshot. */
export interface SnapshotReport {
  /** Whether there is no problem. */
  ok: boolean;
  manifest: SnapshotManifest;
  /** At most 20 of lines. */
  problems: SnapshotProblem[];
}

/** The file of a snapshot, whole or piece by piece. */
export type SnapshotFile =
  | string
  | Uint8Array
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>
  | Iterable<Uint8Array>;

export type VerifySnapshotParameters = {
  /** A manifest, or its JSON. */
  manifest: unknown;
  /** Read piece by piece; no more is read than the manifest's `bytes` and one piece. */
  ndjson: SnapshotFile;
  /** The signer that you know of, from another place than the manifest. */
  signer?: Address | undefined;
  /** The day that you asked for, such as 2026-11-24. */
  day?: string | undefined;
  /** The registry that you mean; without it, the manifest's is taken. */
  registry?: { chainId: number; address: Address } | undefined;
};

/** Longest line of a snapshot, in bytes. */
const MAX_LINE = 2_048;

/** Most problems of lines that a report has. */
const MAX_LINE_PROBLEMS = 20;

const NEWLINE = 0x0a;

/**
 * Checks a snapshot against its manifest: hash, size and number of lines, that each line is canonical and in its place, and
 * the signature. A signature shows who says this, not that it is true: see docs/snapshots.md.
 *
 * @throws {InvalidSnapshotError} when the manifest has not the form of one; whatever `ndjson` throws.
 * @example
 * const { chainId, contracts } = deployment;
 * const place = { chainId, registry: contracts.AppRegistry.address, day: "2026-11-24", takenAt: 1_795_480_000 };
 * const sha256 = "0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"; // of no bytes
 * const manifest = await signSnapshot({ ...place, block: 1, services: 0, bytes: 0, sha256 }, account);
 * (await verifySnapshot({ manifest, ndjson: "", signer: account.address })).ok; // true
 */
export async function verifySnapshot({
  manifest: given,
  ndjson,
  signer,
  day,
  registry,
}: VerifySnapshotParameters): Promise<SnapshotReport> {
  const manifest = parseSnapshotManifest(given);
  const problems = await signatureProblems(manifest);
  const note = (code: SnapshotProblem["code"], message: string) => void problems.push({ code, message });
  if (signer !== undefined && !isAddressEqual(signer, manifest.signer))
    note("signer", `It is signed by ${manifest.signer}, not by ${signer}.`);
  if (day !== undefined && day !== manifest.day) note("day", `It is for ${manifest.day}, not ${day}.`);
  if (utcDay(manifest.takenAt) !== manifest.day) note("day", `Its timestamp is not on ${manifest.day}.`);
  const { chainId, registry: address } = manifest;
  if (registry && (registry.chainId !== chainId || !isAddressEqual(registry.address, address)))
    note("registry", `It is for a different registry: ${address} on chain ${chainId}.`);

  const lines = createLineCheck();
  const hash = sha256.create();
  let bytes = 0;
  for await (const piece of piecesOf(ndjson)) {
    bytes += piece.length;
    hash.update(piece);
    lines.take(piece);
    if (bytes > manifest.bytes) break;
  }
  problems.push(...lines.end());
  if (bytes > manifest.bytes)
    note("size", `The file is larger than the ${manifest.bytes} bytes stated in the manifest.`);
  else {
    if (bytes < manifest.bytes)
      note("size", `The file has ${bytes} bytes; the manifest states ${manifest.bytes}.`);
    if (lines.count() !== manifest.services)
      note("count", `The file has ${lines.count()} lines; the manifest states ${manifest.services}.`);
    if (bytesToHex(hash.digest()) !== manifest.sha256.toLowerCase())
      note("hash", "The file's SHA-256 doesn't match the manifest.");
  }
  return { ok: problems.length === 0, manifest, problems };
}

async function signatureProblems(manifest: SnapshotManifest): Promise<SnapshotProblem[]> {
  const { signature, signer } = manifest;
  const recovered = await recoverTypedDataAddress({ ...snapshotTypedData(manifest), signature }).catch(
    () => undefined,
  );
  if (recovered !== undefined && isAddressEqual(recovered, signer)) return [];
  return [
    { code: "signature", message: `The signature is not a valid signature of this manifest by ${signer}.` },
  ];
}

/** The pieces of a file. Safari's streams can't be iterated. */
async function* piecesOf(file: SnapshotFile): AsyncGenerator<Uint8Array> {
  if (typeof file === "string") yield stringToBytes(file);
  else if (file instanceof Uint8Array) yield file;
  else if (!("getReader" in file)) yield* file;
  else {
    const reader = file.getReader();
    try {
      for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
    } finally {
      // What is left of a file that is too long is not downloaded.
      await reader.cancel().catch(() => undefined);
    }
  }
}

/** Checks lines as their bytes come, and keeps no more than one of them. */
function createLineCheck() {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const problems: SnapshotProblem[] = [];
  const line = new Uint8Array(MAX_LINE);
  let length = 0;
  let count = 0;
  let last = -1n;

  const note = (code: SnapshotProblem["code"], message: string) => {
    if (problems.length < MAX_LINE_PROBLEMS) problems.push({ code, message, line: count });
  };

  function check() {
    count++;
    if (length > MAX_LINE) return note("line-too-long", `Line ${count} has more than ${MAX_LINE} bytes.`);
    const tokenId = tokenIdOf(line.subarray(0, length), (bytes) => decoder.decode(bytes));
    if (tokenId === undefined) return note("line", `Line ${count} is not the canonical JSON of a record.`);
    if (tokenId === last) note("duplicate", `Line ${count} repeats the record of token ${tokenId}.`);
    else if (tokenId < last) note("order", `Line ${count} (token ${tokenId}) comes after token ${last}.`);
    last = tokenId;
  }

  return {
    take(piece: Uint8Array) {
      for (let start = 0; start < piece.length; ) {
        const newline = piece.indexOf(NEWLINE, start);
        const end = newline < 0 ? piece.length : newline;
        if (length + end - start <= MAX_LINE) line.set(piece.subarray(start, end), length);
        length += end - start;
        if (newline < 0) return;
        check();
        length = 0;
        start = newline + 1;
      }
    },
    /** Lines that ended. */
    count: () => count,
    end(): SnapshotProblem[] {
      if (length > 0)
        problems.push({ code: "end", message: "The last line is incomplete.", line: count + 1 });
      return problems;
    },
  };
}

/** The token id of a line that is the canonical JSON of a record. */
function tokenIdOf(bytes: Uint8Array, decode: (bytes: Uint8Array) => string): bigint | undefined {
  try {
    const text = decode(bytes);
    const parsed = snapshotRecordSchema.safeParse(JSON.parse(text));
    if (!parsed.success || snapshotLine(parsed.data) !== text) return undefined;
    return BigInt(parsed.data.tokenId);
  } catch {
    return undefined;
  }
}
