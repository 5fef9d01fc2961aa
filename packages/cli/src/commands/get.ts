import { readRecordedDocument } from "@app-registry/outbound";
import { formatVersion, hashAlgorithmName, interfaceNames, statusNames } from "@app-registry/sdk";
import { latestBlock, readTarget, type Target } from "@app-registry/sdk/internal";
import { type Connection, connect, inTime } from "../connection.ts";
import { guardedFetch } from "../guardedFetch.ts";
import { parseTarget } from "../inputs.ts";
import type { Root, Run } from "../program.ts";
import { table, time } from "../terminal.ts";

const examples = `
Examples:
  $ app-registry get did:web:example.com
  $ app-registry get did:web:example.com@1.0 --metadata > metadata.json`;

/** `get`: what the registry records of a service. */
export function addGet(root: Root, run: Run): void {
  root
    .command("get")
    .description("show the record of a service, or its metadata document")
    .argument("<did[@version]>", "DID, and the version when it isn't the latest")
    .option("--metadata", "write the metadata JSON itself, after checking that it hashes to the record")
    .addHelpText("after", examples)
    .action((name, options, command) =>
      run(async () => {
        const { did, version } = parseTarget(name);
        const connection = await connect(command.optsWithGlobals());
        const target = await inTime(connection, async () => {
          const blockNumber = await latestBlock(connection.client);
          return readTarget(connection.client, did, version, blockNumber);
        });
        if (!options.metadata) return { json: { record: recordJson(target) }, lines: recordLines(target) };
        const { canonical, source } = await readDocument(connection, target);
        const json = { did, version: formatVersion(target.version), source, metadata: JSON.parse(canonical) };
        return { json, lines: [canonical] };
      }),
    );
}

const readDocument = (connection: Connection, { did, version }: Target) =>
  inTime(connection, async () => {
    const { client } = connection;
    const record = await client.getVersionRecord({ did, version });
    return readRecordedDocument({ client, guardedFetch: guardedFetch(connection.timeoutMs), record });
  });

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

function recordLines(target: Target): string[] {
  return table([
    ["DID", target.did],
    ["version", formatVersion(target.version)],
    ["registered", time(target.version.registeredAt)],
    ["latest", target.current ? undefined : formatVersion(target.latestVersion)],
    ["status", statusNames[target.status]],
    ["interfaces", interfaceNames(target.interfaces).join(", ")],
    ["data URL", target.dataUrl],
    ["data hash", `${target.dataHash} (${hashAlgorithmName(target.dataHashAlgorithm)})`],
    ["contract", target.contractId],
    ["owner", target.owner],
    ["minter", target.minter],
    ["token id", target.tokenId],
  ]);
}
