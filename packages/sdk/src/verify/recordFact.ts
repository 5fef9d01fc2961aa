import { isNotRegisteredError } from "../client/notRegistered.ts";
import { appStatusLabels } from "../client/records.ts";
import { formatVersion } from "../version.ts";
import { createUnansweredFact, fail, isoTime, pass } from "./facts.ts";
import type { Fact } from "./report.ts";
import type { Target } from "./target.ts";

const statusSentences = {
  Active: "The record is Active.",
  Deprecated: "The record is Deprecated: its publisher advises against using it.",
  Replaced: "The record is Replaced: its publisher has taken it out of use.",
};

/** Checks that the record is Active. A publisher who takes a service out of use changes the status. */
export function recordFact(target: Target): Fact {
  const { version, latestVersion, current, tokenId } = target;
  const status = appStatusLabels[target.status];
  // Only the date of this version: the token may have been minted with an earlier one.
  const published = `Version ${formatVersion(version)}, published on ${isoTime(version.registeredAt)}`;
  const which = current
    ? `${published}, is the latest of its major version.`
    : `${published}, is not the latest; ${formatVersion(latestVersion)} is.`;
  const reason = `Registered as token ${tokenId}. ${which} ${statusSentences[status]}`;
  return (status === "Active" ? pass : fail)(reason, {
    tokenId: String(tokenId),
    status,
    owner: target.owner,
    minter: target.minter,
    version: formatVersion(version),
    latestVersion: formatVersion(latestVersion),
    current,
    registeredAt: version.registeredAt,
    interfaces: target.interfaces,
    dataUrl: target.dataUrl,
    dataHash: target.dataHash,
    dataHashAlgorithm: target.dataHashAlgorithm,
    contractId: target.contractId,
    traitHashes: target.traitHashes,
  });
}

/**
 * Returns the fact for a record that does not exist or could not be read. The evidence for a missing record lists in
 * `action` what is registered.
 */
export const missingRecordFact = (error: unknown): Fact =>
  isNotRegisteredError(error)
    ? fail(error.shortMessage, { error: error.name, action: error.action })
    : createUnansweredFact(error);
