import { type Connection, withTimeout } from "@app-registry/mcp";
import { readRecordedDocument } from "@app-registry/outbound";
import type { Version } from "@app-registry/sdk";

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
