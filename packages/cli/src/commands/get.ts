import { type Connection, findService, withTimeout } from "@app-registry/mcp";
import {
  appStatusLabels,
  formatVersion,
  hashAlgorithmName,
  interfaceNames,
  parseSubject,
  type VersionRecord,
} from "@app-registry/sdk";
import { getLatestBlockNumber, isoTime, readTarget, type Target } from "@app-registry/sdk/internal";
import { parseMajor, SERVICE_ARGUMENT } from "../inputs.ts";
import type { Program } from "../program.ts";
import { readVersionDocument } from "../publishing.ts";
import { columns, type Line, table, urlText } from "../terminal.ts";

const getHelp = `
Examples:
  $ app-registry get did:web:example.com
  $ app-registry get did:web:example.com@1.0 --metadata > metadata.json`;

export function addGet({ root, action }: Program): void {
  root
    .command("get")
    .description("show the record of a service, or its metadata document")
    .argument("<service>", SERVICE_ARGUMENT, parseSubject)
    .option("--metadata", "print the metadata JSON after checking it against the record's hash")
    .addHelpText("after", getHelp)
    .action(
      action(async ({ connect }, subject, options) => {
        const connection = await connect();
        const { client } = connection;
        const { did, version } = await findService(connection, subject);
        const target = await withTimeout(connection, async () =>
          readTarget(client, did, version, await getLatestBlockNumber(client)),
        );
        if (!options.metadata) return { json: { record: recordJson(target) }, lines: recordLines(target) };
        const { canonical, source } = await readVersionDocument(connection, did, target.version);
        const json = { did, version: formatVersion(target.version), source, metadata: JSON.parse(canonical) };
        return { json, document: canonical, lines: [] };
      }),
    );
}

function recordJson(target: Target) {
  const { version, latestVersion, dataHashAlgorithm, ...record } = target;
  return {
    ...record,
    version: formatVersion(version),
    registeredAt: version.registeredAt,
    latestVersion: formatVersion(latestVersion),
    dataHashAlgorithm: hashAlgorithmName(dataHashAlgorithm),
  };
}

function recordLines(target: Target): Line[] {
  return table([
    ["DID", target.did],
    ["version", formatVersion(target.version)],
    ["registered", isoTime(target.version.registeredAt)],
    ["latest", target.current ? undefined : formatVersion(target.latestVersion)],
    ["status", appStatusLabels[target.status]],
    ["interfaces", interfaceNames(target.interfaces).join(", ")],
    ["data URL", urlText(target.dataUrl)],
    ["data hash", `${target.dataHash} (${hashAlgorithmName(target.dataHashAlgorithm)})`],
    ["contract", target.contractId],
    ["owner", target.owner],
    ["minter", target.minter],
    ["token id", target.tokenId],
  ]);
}

export function addVersions({ root, action }: Program): void {
  root
    .command("versions")
    .description("list every published version of a service, oldest first")
    .argument("<service>", "its DID or address", parseSubject)
    .option("--major <number>", "list only this major version", parseMajor)
    .addHelpText("after", "\nExample:\n  $ app-registry versions did:web:example.com")
    .action(
      action(async ({ connect }, subject, { major }) => {
        const connection = await connect();
        const { did } = await findService(connection, subject);
        const versions = await withTimeout(connection, () => readVersions(connection, did, major));
        const json = { did, versions: versions.map(versionJson) };
        return { json, lines: columns(versions.map(versionRow)) };
      }),
    );
}

async function readVersions({ client }: Connection, did: string, major?: number): Promise<VersionRecord[]> {
  if (major !== undefined) {
    await client.getAppSummary({ did, major });
    return client.listVersionRecords({ did, major });
  }
  const latest = await client.latestMajor(did);
  const majors = Array.from({ length: latest + 1 }, (_, number) => number);
  const lists = await Promise.all(majors.map((one) => client.listVersionRecords({ did, major: one })));
  return lists.flat();
}

const versionJson = ({ did: _, version, dataHashAlgorithm, ...record }: VersionRecord) => ({
  version: formatVersion(version),
  registeredAt: version.registeredAt,
  ...record,
  dataHashAlgorithm: hashAlgorithmName(dataHashAlgorithm),
});

const versionRow = ({ version, dataHash, dataUrl, current }: VersionRecord): string[] => [
  formatVersion(version),
  current ? "current" : "",
  isoTime(version.registeredAt),
  dataHash,
  urlText(dataUrl),
];
