import {
  compareDocument,
  formatVersion,
  nextVersions,
  parseDid,
  parseVersion,
  readRegistered,
  type Version,
} from "@app-registry/sdk";
import { type Connection, connect, inTime } from "../connection.ts";
import { UsageError } from "../exitCodes.ts";
import { parseInterfaces, parseMajor, readMetadata } from "../inputs.ts";
import { type Root, type Run, signingOptions } from "../program.ts";
import { publish } from "../publishing.ts";
import { openSender } from "../sending.ts";

const help = `
Never registers a new major version. A document that is the published one is done already (exit 0), so this may be
repeated too.

Examples:
  $ app-registry update metadata.json --did did:web:example.com
  $ app-registry update metadata.json --did did:web:example.com --version minor
  $ app-registry update metadata.json --did did:web:example.com --version 1.4.0`;

/** `update`: publishes a changed document as the next version of a registered major. */
export function addUpdate(root: Root, run: Run): void {
  root
    .command("update")
    .description("publish a changed document as the next version of a registered service")
    .argument("<file|url>", "the metadata document: a file, - for standard input, or a URL")
    .requiredOption("--did <did>", "DID of the service")
    .option("--version <version>", "patch, minor, or major.minor.patch", "patch")
    .option("--major <number>", "major version that is updated (default: the latest)", parseMajor)
    .option(
      "--interfaces <list>",
      "human, api, contract, or 1 to 7 (default: those of the record)",
      parseInterfaces,
    )
    .option("--data-url <url>", "where you host the document (default: as the record has it)")
    .option("--no-on-chain-json", "keep the JSON off the chain; needs --data-url")
    .addOption(signingOptions.keystore)
    .addOption(signingOptions.dryRun)
    .addOption(signingOptions.from)
    .addOption(signingOptions.yes)
    .addHelpText("after", help)
    .action((place, { version: step, ...options }, command) =>
      run(async (terminal) => {
        const { did } = parseDid(options.did);
        const connection = await connect(command.optsWithGlobals());
        const { timeoutMs } = connection;
        const metadata = await readMetadata(place, timeoutMs, terminal);
        const sender = await openSender(connection, options, terminal);
        const version = await inTime(connection, () =>
          nextVersion(connection, did, metadata, step, options.major),
        );
        return publish(connection, sender, { metadata, ...options, did, version: formatVersion(version) });
      }),
    );
}

/** The version that an update publishes: the present one when the document is unchanged. */
async function nextVersion(
  { client }: Connection,
  did: string,
  metadata: string,
  step: string,
  wanted: number | undefined,
): Promise<Version> {
  const named = step === "patch" || step === "minor" ? undefined : parseVersion(step);
  const major = named?.major ?? wanted ?? (await client.latestMajor(did));
  const { record, latestMajor } = await readRegistered(client, { did, major });
  if (!record) {
    // Throws for a DID that has no record at all.
    if (latestMajor === undefined) await client.latestMajor(did);
    throw new UsageError(`Major version ${major} of ${did} is not registered.`, "Register it with publish.");
  }
  if (named) return named;
  const { matches } = compareDocument(metadata, { ...record, dataHashAlgorithm: record.algorithm });
  if (matches) return record.version;
  const next = nextVersions(record, latestMajor ?? major).find(
    (version) => version.major === major && (version.patch === 0) === (step === "minor"),
  );
  if (next) return next;
  throw new UsageError(
    `After ${formatVersion(record.version)} no ${step} version is left.`,
    "Name a higher one with --version, or publish a new major.",
  );
}
