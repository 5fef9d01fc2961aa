import { type Context, type Event, ponder } from "ponder:registry";
import { app, document, reclaim, service, tokenOfMajor, version } from "ponder:schema";
import { getDidSite, toPostgresText } from "@app-registry/index/document/keys";
import { recordLabels } from "@app-registry/index/document/recordLabels";
import { missingEvidence } from "@app-registry/index/evidence";
import { toServerName } from "@app-registry/sdk";
import { and, eq, isNull } from "ponder";
import { type Hex, zeroAddress } from "viem";
import { updateMissingEvidence } from "./control.ts";
import { saveTraitLabels } from "./document.ts";

/** Returns the on-chain document of a record's dataHash, if any, and the record's labels. Saves its trait labels. */
async function findLabels(
  db: Context["db"],
  record: { didHash: Hex; did: string; contractId: string; dataHash: Hex; traitHashes: readonly Hex[] },
) {
  const { didHash, dataHash } = record;
  const found = await db.find(document, { didHash, dataHash });
  const labels = recordLabels(record, found);
  await saveTraitLabels(db, labels.traits);
  return { ...labels, pointer: found?.pointer ?? null, unproven: found ? 0 : missingEvidence.content };
}

/** Builds the columns for the time and block of a record's last change. */
const toChangeColumns = ({ block }: Pick<Event<"AppRegistry:Transfer">, "block">) => ({
  changedAt: Number(block.timestamp),
  changedBlock: Number(block.number),
});

ponder.on("AppRegistry:AppMinted", async ({ event, context: { db } }) => {
  const publishedAt = Number(event.block.timestamp);
  const { tokenId, didHash, minter, major, contractId, fungibleTokenId, ...args } = event.args;
  const content = {
    did: toPostgresText(args.did),
    minor: args.minor,
    patch: args.patch,
    interfaces: args.interfaces,
    dataUrl: toPostgresText(args.dataUrl),
    dataHash: args.dataHash,
    dataHashAlgorithm: args.dataHashAlgorithm,
    traitHashes: [...args.traitHashes],
  };
  await db.insert(tokenOfMajor).values({ didHash, major, tokenId });
  await db
    .insert(service)
    .values({ didHash, majors: [major] })
    .onConflictDoUpdate(({ majors }) => ({ majors: [...majors, major] }));
  await db.insert(version).values({
    ...content,
    tokenId,
    didHash,
    major,
    registeredAt: publishedAt,
    block: Number(event.block.number),
    transactionHash: event.transaction.hash,
  });
  await db.insert(app).values({
    ...content,
    ...toChangeColumns(event),
    ...(await findLabels(db, { didHash, contractId, ...content })),
    tokenId,
    didHash,
    major,
    contractId: toPostgresText(contractId),
    fungibleTokenId: toPostgresText(fungibleTokenId),
    serverName: toServerName(content.did),
    minter,
    hasMinterLost: false,
    owner: minter,
    status: 0,
    site: getDidSite(content.did),
    mintedAt: publishedAt,
    publishedAt,
  });
});

ponder.on("AppRegistry:AppUpdated", async ({ event, context: { db } }) => {
  const { tokenId, didHash, major, minor, patch, interfaces, dataHash, dataHashAlgorithm } = event.args;
  const record = await db.find(app, { tokenId });
  if (!record) throw new Error(`AppUpdated of token ${tokenId}, which was never minted.`);
  const publishedAt = Number(event.block.timestamp);
  const { did, contractId } = record;
  const content = {
    minor,
    patch,
    interfaces,
    dataUrl: toPostgresText(event.args.dataUrl) || record.dataUrl,
    dataHash,
    dataHashAlgorithm,
    traitHashes: event.args.traitHashes.length > 0 ? [...event.args.traitHashes] : record.traitHashes,
  };
  await db.insert(version).values({
    ...content,
    tokenId,
    didHash,
    did,
    major,
    registeredAt: publishedAt,
    block: Number(event.block.number),
    transactionHash: event.transaction.hash,
  });
  const labels = await findLabels(db, { didHash, did, contractId, ...content });
  await db.update(app, { tokenId }).set({
    ...content,
    ...toChangeColumns(event),
    ...labels,
    unproven: labels.unproven + (record.unproven & missingEvidence.control),
    publishedAt,
  });
});

ponder.on("AppRegistry:StatusUpdated", async ({ event, context: { db } }) => {
  await db
    .update(app, { tokenId: event.args.tokenId })
    .set({ status: event.args.newStatus, ...toChangeColumns(event) });
});

ponder.on("AppRegistry:Transfer", async ({ event, context: { db } }) => {
  const { from, to, tokenId } = event.args;
  if (from === zeroAddress) return; // AppMinted names the first owner
  await db.update(app, { tokenId }).set({ owner: to, ...toChangeColumns(event) });
});

ponder.on("AppRegistry:ReclaimOpened", async ({ event, context: { db } }) => {
  const { tokenId, claimant } = event.args;
  const record = await db.find(app, { tokenId });
  const opened = {
    isByHolder: record?.owner === claimant,
    openedAt: Number(event.block.timestamp),
    finishableFrom: Number(event.args.finishableFrom),
    expiresAt: Number(event.args.expiresAt),
    endedAt: null,
    finished: false,
  };
  await db
    .insert(reclaim)
    .values({ tokenId, claimant, ...opened })
    .onConflictDoUpdate(opened);
});

ponder.on("AppRegistry:ReclaimFinished", async ({ event, context: { db } }) => {
  const { tokenId, claimant } = event.args;
  const endedAt = Number(event.block.timestamp);
  await db.update(reclaim, { tokenId, claimant }).set({ endedAt, finished: true });
  const { didHash } = await db
    .update(app, { tokenId })
    .set(({ minter }) => ({ hasMinterLost: minter !== claimant }));
  await updateMissingEvidence(db, didHash, endedAt);
});

ponder.on("AppRegistry:ReclaimsDismissed", async ({ event, context: { db } }) => {
  const { tokenId, restsOnHolder } = event.args;
  const endedAt = Number(event.block.timestamp);
  const isEnded = restsOnHolder ? undefined : eq(reclaim.isByHolder, false);
  // Read in SQL, but written by key: a write in SQL would empty Ponder's cache of every table.
  const open = await db.sql
    .select({ claimant: reclaim.claimant })
    .from(reclaim)
    .where(and(eq(reclaim.tokenId, tokenId), isNull(reclaim.endedAt), isEnded));
  for (const { claimant } of open) await db.update(reclaim, { tokenId, claimant }).set({ endedAt });
});
