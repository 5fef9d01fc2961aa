import { type Connection, UsageError, withTimeout } from "@app-registry/mcp";
import { readRecordedDocument } from "@app-registry/outbound";
import {
  type CapabilityChange,
  type JsonValue,
  nextVersions,
  parseJsonStrict,
  proposeVersion,
  raiseVersion,
  readRegisteredDid,
  type Version,
} from "@app-registry/sdk";
import { inferInterfaces, undefinedIfNotRegistered } from "@app-registry/sdk/internal";

/**
 * Reads the document of a registered version, which matches the record's dataHash.
 *
 * @throws {DocumentUnavailableError} if no copy matches.
 */
export const readVersionDocument = (connection: Connection, did: string, version: Version) =>
  withTimeout(connection, async () => {
    const { client, guardedFetch } = connection;
    const record = await client.getVersionRecord({ did, version });
    const { canonical, source } = await readRecordedDocument({ client, guardedFetch, record });
    return { canonical, source, dataHash: record.dataHash };
  });

/** Version that a document asks for, and its changes to the latest registered version. */
export type Proposal = {
  /** Latest registered version; `undefined` for a DID without a record. */
  current?: Version | undefined;
  version: Version;
  /** Part of the version that the changes raise; `undefined` without a change or a record. */
  part?: "major" | "minor" | "patch" | undefined;
  changes: CapabilityChange[];
  /** Interface bitmap to publish it with. */
  interfaces: number;
  /** Metadata of the latest registered version. */
  before?: JsonValue | undefined;
};

/**
 * Compares a document with the latest registered version of a DID, or of one of its majors, and returns the version to publish it as: 1.0.0 for
 * the first one, and the registered version if nothing changed.
 *
 * @throws {UsageError} if no version is left.
 * @throws {DocumentUnavailableError} if the registered document can't be read.
 */
export async function proposePublication(
  connection: Connection,
  {
    did,
    metadata,
    interfaces: chosen,
    major: wanted,
  }: { did: string; metadata: string; interfaces?: number | undefined; major?: number | undefined },
): Promise<Proposal> {
  const { client } = connection;
  const after = parseJsonStrict(metadata);
  const { record, latestMajor } = await withTimeout(connection, async () => {
    const major = wanted ?? (await undefinedIfNotRegistered(client.latestMajor(did)));
    return major === undefined
      ? { record: undefined, latestMajor: undefined }
      : readRegisteredDid(client, { did, major });
  });
  const interfaces = chosen ?? record?.interfaces ?? inferInterfaces(after, did);
  if (!record || latestMajor === undefined) {
    return { version: { major: 1, minor: 0, patch: 0 }, changes: [], interfaces };
  }
  const current = record.version;
  const { canonical } = await readVersionDocument(connection, did, current);
  const before = parseJsonStrict(canonical);
  const proposal = proposeVersion(
    { metadata: before, interfaces: record.interfaces },
    { metadata: after, interfaces },
  );
  if (!proposal) return { current, version: current, changes: [], interfaces, before };
  const version = raiseVersion(nextVersions(record, latestMajor), proposal.part);
  if (version) return { current, version, ...proposal, interfaces, before };
  throw new UsageError("There is no higher version left for this service.", "Publish it under another DID.");
}
