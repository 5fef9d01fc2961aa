import { canonicalizeValue, dataHash, dataUrlPath, didHash } from "@app-registry/sdk";
import { type Hex, stringToHex, zeroAddress } from "viem";
import { Random } from "../data/random.ts";
import type { BenchRecord } from "../data/records.ts";
import { hashOfTrait } from "../data/traits.ts";

/** An event of the contracts as Ponder decodes it, with the code of the pointer that a `MetadataSet` names. */
export interface RecordEvent {
  name: string;
  args: Record<string, unknown>;
  block: { number: bigint; timestamp: bigint };
  transaction: { hash: Hex };
  log: { address: Hex };
  code?: Hex;
}

/** Long before now, so that no block of the data is newer than the chain's. */
const FIRST_TIMESTAMP = 1_600_000_000;
const SECONDS_BETWEEN = 37;

/** The events that a record's life leaves on the chain, in the order of the contracts. */
export function* recordEvents(record: BenchRecord): Generator<RecordEvent> {
  const { did, minter, owner, status, contractId, interfaces } = record;
  const random = new Random(record.tokenId, 7);
  const hash = didHash(did);
  const tokenId = BigInt(record.tokenId);
  for (const [index, { version, metadata }] of record.versions.entries()) {
    const json = canonicalizeValue(metadata);
    const timestamp = BigInt(FIRST_TIMESTAMP + record.tokenId * SECONDS_BETWEEN + index * 86_400);
    const place = {
      block: { number: BigInt(record.tokenId + index), timestamp },
      transaction: { hash: random.hex(32) },
      log: { address: zeroAddress },
    };
    const published = {
      ...version,
      tokenId,
      didHash: hash,
      interfaces,
      dataUrl: `https://registry.example${dataUrlPath(did, version)}`,
      dataHash: dataHash(json, 0),
      dataHashAlgorithm: 0,
      traitHashes: (metadata.traits ?? []).map(hashOfTrait),
    };
    if (index === 0) {
      yield { ...place, name: "AppRegistry:Transfer", args: { from: zeroAddress, to: minter, tokenId } };
    }
    const name = index === 0 ? "AppRegistry:AppMinted" : "AppRegistry:AppUpdated";
    yield { ...place, name, args: { ...published, did, minter, contractId, fungibleTokenId: "" } };
    yield {
      ...place,
      name: "AppMetadata:MetadataSet",
      args: { ...version, didHash: hash, did, hash: published.dataHash, timestamp, pointer: random.hex(20) },
      code: `0x00${stringToHex(json).slice(2)}`,
    };
    const isLast = index === record.versions.length - 1;
    if (isLast && owner !== minter) {
      yield { ...place, name: "AppRegistry:Transfer", args: { from: minter, to: owner, tokenId } };
    }
    if (isLast && status !== 0) {
      const args = { tokenId, didHash: hash, oldStatus: 0, newStatus: status };
      yield { ...place, name: "AppRegistry:StatusUpdated", args };
    }
  }
}
