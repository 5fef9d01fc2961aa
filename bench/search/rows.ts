import {
  canonicalizeValue,
  dataHash,
  dataUrlPath,
  didHash,
  toServerName,
  traitHash,
} from "@app-registry/sdk";
import { getDidSite } from "../../apps/indexer/src/document/getDidSite.ts";
import { parseDocument } from "../../apps/indexer/src/document/parseDocument.ts";
import { recordLabels } from "../../apps/indexer/src/document/recordLabels.ts";
import { Random } from "./data/random.ts";
import { recordAt } from "./data/records.ts";

/** Row by column names of the schema. */
type Row = Record<string, unknown>;

/** Time of the first block in Unix seconds, early enough that no block of the data is newer than the chain's. */
const FIRST_TIMESTAMP = 1_600_000_000;
const YEAR = 31_536_000;
/** End of 2099 in Unix seconds. */
const FAR_FUTURE_EXPIRY = 4_102_444_799;

const issuer = "0x00000000000000000000000000000000000000f0";

/** Tables that a search reads. */
export const tables = ["app", "trait", "issuer", "did_attestation", "data_hash_attestation"] as const;

/**
 * Returns the rows of the records `first` to `last - 1`, by table, with the indexer's own labels and words. Each owner
 * is attested as the controller, and half of the documents are attested; a tenth of the attestations has expired.
 */
export function makeRows(first: number, last: number): Record<(typeof tables)[number], Row[]> {
  const issuers = [{ address: issuer, status: "active", addedAt: FIRST_TIMESTAMP }];
  const rows = { app: [], trait: [], issuer: issuers, did_attestation: [], data_hash_attestation: [] };
  const add = (table: (typeof tables)[number], row: Row) => (rows[table] as Row[]).push(row);
  for (let index = first; index < last; index++) {
    const { owner, metadata, ...record } = recordAt(index);
    const random = new Random(7, index);
    const json = canonicalizeValue(metadata);
    const traitHashes = metadata.traits.map(traitHash);
    const keys = { didHash: didHash(record.did), dataHash: dataHash(json, 0) };
    const at = FIRST_TIMESTAMP + index * 37;
    const expiresAt = random.chance(0.1) ? at + YEAR : FAR_FUTURE_EXPIRY;
    add("app", {
      ...record,
      ...keys,
      ...{ minor: 0, patch: 0, dataHashAlgorithm: 0, fungibleTokenId: "", traitHashes },
      dataUrl: `https://registry.example${dataUrlPath(record.did, { major: record.major, minor: 0, patch: 0 })}`,
      ...{ owner, minter: owner, mintedAt: at, publishedAt: at, changedAt: at, changedBlock: index + 1 },
      ...{
        serverName: toServerName(record.did),
        site: getDidSite(record.did),
        pointer: random.hex(20),
      },
      // 2 means that control is not proven.
      unproven: expiresAt === FAR_FUTURE_EXPIRY ? 0 : 2,
      ...recordLabels({ did: record.did, traitHashes }, parseDocument(Buffer.from(json))),
    });
    for (const [place, label] of metadata.traits.entries()) add("trait", { hash: traitHashes[place], label });
    const run = {
      issuer,
      startedAt: at,
      statedAt: at,
      expiresAt,
      isEndFinal: false,
      transactionHash: random.hex(32),
    };
    add("did_attestation", { ...keys, ...run, controller: owner, maturesAt: at });
    if (random.chance(0.5)) add("data_hash_attestation", { ...keys, ...run });
  }
  return rows;
}
