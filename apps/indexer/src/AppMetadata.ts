import { ponder } from "ponder:registry";
import { app, document, tokenOfMajor } from "ponder:schema";
import { parseDocument } from "./document/parseDocument.ts";
import { readDocument } from "./document/readDocument.ts";
import { recordLabels } from "./document/recordLabels.ts";

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
  await db
    .insert(document)
    .values({ didHash, dataHash, ...stored })
    .onConflictDoUpdate(stored);

  // The event may come before or after the AppMinted or AppUpdated of its transaction.
  const token = await db.find(tokenOfMajor, { didHash, major });
  const record = token && (await db.find(app, { tokenId: token.tokenId }));
  if (record?.dataHash === dataHash) {
    await db.update(app, { tokenId: record.tokenId }).set(recordLabels(record, stored));
  }
});
