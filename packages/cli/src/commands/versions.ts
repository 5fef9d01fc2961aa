import type { VersionRecord } from "@app-registry/sdk";
import { formatVersion, hashAlgorithmName, parseDid } from "@app-registry/sdk";
import { type Connection, connect, inTime } from "../connection.ts";
import { parseMajor } from "../inputs.ts";
import type { Root, Run } from "../program.ts";
import { columns, time } from "../terminal.ts";

/** `versions`: every published version of a service. */
export function addVersions(root: Root, run: Run): void {
  root
    .command("versions")
    .description("list every published version of a service, oldest first")
    .argument("<did>")
    .option("--major <number>", "of this major version only", parseMajor)
    .addHelpText("after", "\nExample:\n  $ app-registry versions did:web:example.com")
    .action((name, options, command) =>
      run(async () => {
        const { did } = parseDid(name);
        const connection = await connect(command.optsWithGlobals());
        const versions = await inTime(connection, () => readVersions(connection, did, options.major));
        return {
          json: { did, versions: versions.map(versionJson) },
          lines: columns(versions.map(versionRow)),
        };
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
  time(version.registeredAt),
  dataHash,
  dataUrl,
];
