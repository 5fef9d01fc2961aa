import { ponder } from "ponder:registry";
import { app, document, tokenOfMajor } from "ponder:schema";
import { parseDocument } from "./document/parseDocument.ts";
import { readDocument } from "./document/readDocument.ts";
import { recordLabels } from "./document/recordLabels.ts";
import { rememberTraits } from "./document/rememberTraits.ts";

ponder.on("AppMetadata:MetadataSet", async ({ event, context: { client, db } }) => {
  const { didHash, major, hash: dataHash, pointer } = event.args;
  const bytes = await readDocument(pointer, dataHash, (address) =>
    client.getCode({ address, cache: "immutable" }),
  );
  if (!bytes) return; // the block is being reorganised away, and this row with it

  const stored = {
    pointer,
    size: bytes.length,
    storedAt: Number(event.args.timestamp),
    ...parseDocument(bytes),
  };
  // A JSON that is put in front again labels nothing anew.
  const isKnown = (await db.find(document, { didHash, dataHash })) !== null;
  await db
    .insert(document)
    .values({ didHash, dataHash, ...stored })
    .onConflictDoUpdate(stored);

  // The event may come before or after the AppMinted or AppUpdated of its transaction.
  const token = await db.find(tokenOfMajor, { didHash, major });
  const record = token && (await db.find(app, { tokenId: token.tokenId }));
  if (record?.dataHash !== dataHash || isKnown) return;
  const labels = recordLabels(record, stored);
  await rememberTraits(db, labels.traits);
  await db.update(app, { tokenId: record.tokenId }).set({
    ...labels,
    changedAt: Number(event.block.timestamp),
    changedBlock: Number(event.block.number),
  });
});
