import { ponder } from "ponder:registry";
import { app, document, tokenOfMajor } from "ponder:schema";
import { parseDocument } from "@app-registry/index/document/parseDocument";
import { recordLabels } from "@app-registry/index/document/recordLabels";
import { missingEvidence } from "@app-registry/index/evidence";
import { createPublicClient, type Hex, keccak256, sha256 } from "viem";
import {
  createReadAhead,
  createRpcReadAheadSource,
  createRpcTransport,
  type ReadAhead,
  saveTraitLabels,
} from "./document.ts";

let ahead: ReadAhead | undefined;

ponder.on("AppMetadata:MetadataSet", async ({ event, context: { client, db } }) => {
  const { didHash, major, hash: dataHash, pointer } = event.args;
  ahead ??= createReadAhead(createRpcReadAheadSource(event.log.address));
  const readBefore = await ahead.take(pointer.toLowerCase() as Hex, Number(event.block.number));
  const bytes = await readDocument(
    pointer,
    dataHash,
    async (address) => readBefore ?? client.getCode({ address, cache: "immutable" }),
  );
  if (!bytes) return; // a reorganization removes the block, and would remove the row

  const stored = {
    pointer,
    size: bytes.length,
    storedAt: Number(event.args.timestamp),
    ...parseDocument(bytes),
  };
  await db
    .insert(document)
    .values({ didHash, dataHash, ...stored })
    .onConflictDoUpdate(stored);

  // The event may come before or after the AppMinted or AppUpdated of its transaction.
  const token = await db.find(tokenOfMajor, { didHash, major });
  const record = token && (await db.find(app, { tokenId: token.tokenId }));
  // The record already has these labels if its pointer was set before.
  if (record?.dataHash !== dataHash || record.pointer !== null) return;
  const labels = recordLabels(record, stored);
  await saveTraitLabels(db, labels.traits);
  await db.update(app, { tokenId: record.tokenId }).set({
    ...labels,
    pointer,
    unproven: record.unproven & missingEvidence.control,
    changedAt: Number(event.block.timestamp),
    changedBlock: Number(event.block.number),
  });
});

/** Reader of a contract's code. Returns `undefined` if it has no code. */
type GetCode = (address: Hex) => Promise<Hex | undefined>;

/** Returns the document stored at a `MetadataSet` pointer: its code after the leading zero byte. */
function documentBytes(code: Hex | undefined, dataHash: Hex): Uint8Array | undefined {
  if (!code?.startsWith("0x00")) return undefined;
  const bytes = Buffer.from(code.slice(4), "hex");
  return keccak256(bytes) === dataHash || sha256(bytes) === dataHash ? bytes : undefined;
}

/**
 * Reads the JSON that hashes to `dataHash` from its pointer's code.
 *
 * The code never changes, so `getCode` may use a cache. After a reorganization, the cached address can hold another
 * document. If the cached code has another hash, this function requests the code from the RPC.
 *
 * @returns `undefined` if the RPC has no such document because the event's block is no longer part of the chain.
 */
async function readDocument(pointer: Hex, dataHash: Hex, getCode: GetCode): Promise<Uint8Array | undefined> {
  const cached = documentBytes(await getCode(pointer), dataHash);
  if (cached) return cached;
  const node = createPublicClient({ transport: createRpcTransport() });
  for (const delay of [0, 250, 1000, 2000]) {
    await new Promise((resolve) => setTimeout(resolve, delay));
    const bytes = documentBytes(await node.getCode({ address: pointer }), dataHash);
    if (bytes) return bytes;
  }
  return undefined;
}
