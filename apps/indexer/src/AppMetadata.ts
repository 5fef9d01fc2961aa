import { ponder } from "ponder:registry";
import { app, document, tokenOfMajor } from "ponder:schema";
import { parseDocument } from "@app-registry/index/document/parseDocument";
import { recordLabels } from "@app-registry/index/document/recordLabels";
import { missingEvidence } from "@app-registry/index/evidence";
import type { Hex } from "viem";
import { createRpcReadAheadSource } from "./document/createRpcReadAheadSource.ts";
import { createReadAhead, type ReadAhead } from "./document/readAhead.ts";
import { readDocument } from "./document/readDocument.ts";
import { saveTraitLabels } from "./document/saveTraitLabels.ts";

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
