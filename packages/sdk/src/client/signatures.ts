import { checkArguments } from "../arguments.ts";
import type * as reads from "./reads/index.ts";
import type * as waits from "./waiters.ts";

/** Arguments of a function, by name: of one object, or in parentheses of the value itself. See `checkArguments`. */
type Signature = string;

const record = "did major blockNumber?";
const control = "did controller";
const page = "limit? cursor?";

/** Arguments of each method of the client that has no signature of its own. */
export const signatures: Readonly<Record<keyof typeof reads | keyof typeof waits, Signature>> = {
  checkDataHashAttestation: "did dataHash blockNumber?",
  checkDid: `${control} blockNumber?`,
  claimedAt: "did blockNumber?",
  countByStatus: "status blockNumber?",
  getApp: record,
  getAppByTokenId: "(tokenId)",
  getAppSummary: record,
  getBlock: `${control} blockNumber?`,
  getBlocks: "did blockNumber?",
  getChallenge: "did incumbent challenger blockNumber?",
  getController: `${control} blockNumber?`,
  getDataHashAttestations: "did dataHash blockNumber?",
  getDidAttestations: `${control} blockNumber?`,
  getIssuer: "(issuer)",
  getIssuers: "()",
  getMetadata: "(did)",
  getMetadataAt: "(pointer)",
  getReclaim: `${record} claimant`,
  getResolverPolicy: "()",
  getVersionRecord: "did blockNumber?",
  hasAllTraits: `${record} traitHashes`,
  hasAnyTraits: `${record} traitHashes`,
  latestMajor: "(did)",
  listByInterface: `interfaces matchAll? ${page}`,
  listByOwner: `owner ${page}`,
  listByStatus: `status ${page}`,
  listEvents: "fromBlock? toBlock?",
  listVersionRecords: record,
  listVersions: `did major ${page}`,
  ownershipScore: `${control} blockNumber?`,
  resistsReclaim: `${control} blockNumber?`,
  tokenIdOf: record,
  totalSupply: "()",
  versionOrder: record,
  waitForReceipt: "hash confirmations? timeoutMs?",
  waitUntilIndexed: "blockNumber baseUrl? timeoutMs?",
};

/** Returns true if a method is synchronous: it throws where the other methods reject. */
export const isImmediate = (name: string): boolean => /^(prepare|list(?!VersionRecords))/.test(name);

/**
 * Checks the arguments of a method before it runs.
 *
 * @throws {InvalidArgumentError}
 */
export function checkCall(
  name: string,
  own: Signature | undefined,
  [first, second]: readonly unknown[],
): void {
  const signature: Signature = own ?? signatures[name as keyof typeof signatures];
  const [, single] = /^\((.*)\)$/.exec(signature) ?? [];
  if (single) checkArguments(single, { [single]: first });
  if (single === undefined) checkArguments(`${signature} account?`, first ?? {});
  else checkArguments("blockNumber?", (single ? second : first) ?? {});
}
