import { checkArguments } from "../arguments.ts";
import type * as reads from "./reads/index.ts";
import type * as waits from "./waiters.ts";
import type * as writes from "./writes/index.ts";

/** Arguments of a function, by name: of one object, or in parentheses of the value itself. See `checkArguments`. */
type Signature = string;

type Prepared = Extract<keyof typeof writes, `prepare${string}`>;

const record = "did major blockNumber?";
const control = "did controller";
const page = "limit? cursor?";
const publication = "did interfaces dataUrl dataHash dataHashAlgorithm traitHashes? metadataJson?";
const update = "did dataHash dataHashAlgorithm dataUrl? traitHashes? metadataJson?";

/** Arguments of each method of the client except `version`, which is checked where it is parsed. */
export const signatures: Readonly<
  Record<Exclude<keyof typeof reads | keyof typeof writes | keyof typeof waits, Prepared>, Signature>
> = {
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
  attestDataHash: "did dataHash expiresAt?",
  attestDataHashBySignature: "did dataHash signature expiresAt?",
  attestDid: `${control} expiresAt?`,
  attestDidBySignature: `${control} signature expiresAt?`,
  blockController: `${control} until`,
  blockControllerBatch: "blocks",
  challengeDid: "did incumbent",
  dismissReclaims: "did major",
  finishReclaim: "did major",
  mint: `${publication} contractId? fungibleTokenId?`,
  openReclaim: "did major",
  republishMetadata: "did major metadataJson",
  resolveChallenge: "did incumbent challenger",
  revokeDataHash: "did dataHash",
  revokeDid: control,
  transfer: "from to tokenId",
  unblockController: control,
  updateAppControlled: update,
  updateStatus: "did major status",
  waitForReceipt: "hash confirmations? timeoutMs?",
  waitUntilIndexed: "blockNumber baseUrl? timeoutMs?",
};

/** Returns true if a method is synchronous: it throws where the other methods reject. */
export const isImmediate = (name: string): boolean => /^(prepare|list(?!VersionRecords))/.test(name);

/**
 * Checks the arguments of a method before it runs. `prepareX` takes the arguments of `x`.
 *
 * @throws {InvalidArgumentError}
 */
export function checkCall(name: string, [first, second]: readonly unknown[]): void {
  const method = name.replace(/^prepare(.)/, (_, letter: string) => letter.toLowerCase());
  const signature: Signature = signatures[method as keyof typeof signatures];
  const [, single] = /^\((.*)\)$/.exec(signature) ?? [];
  if (single) checkArguments(single, { [single]: first });
  if (single === undefined) checkArguments(`${signature} account?`, first ?? {});
  else checkArguments("blockNumber?", (single ? second : first) ?? {});
}
