import {
  compareDocument,
  formatVersion,
  nextVersions,
  parseVersion,
  readRegistered,
  type Version,
} from "@app-registry/sdk";
import { type Connection, inTime } from "../connection.ts";
import { UsageError } from "../exitCodes.ts";
import { parseAlgorithm, parseDidName, parseInterfaces, parseMajor, readMetadata } from "../inputs.ts";
import { type Program, signs } from "../program.ts";
import { publish } from "../publishing.ts";
import { openSender } from "../sending.ts";

/** The start of both commands: a document, and the DID that it is published under. */
const addCommand = ({ root }: Program, name: string, description: string, help: string) =>
  root
    .command(name)
    .description(description)
    .argument("<file|url>", "the metadata document: a file, - for standard input, or a URL")
    .requiredOption("--did <did>", "DID of the service", parseDidName)
    .option("--no-on-chain-json", "keep the JSON off the chain; needs --data-url")
    .option("--reactivate", "set a deprecated or replaced record to Active after publishing")
    .addHelpText("after", help);

/** Active, if the record is to be reactivated. */
const statusOf = ({ reactivate }: { reactivate?: true | undefined }) =>
  reactivate ? { status: 0 as const } : {};

const publishHelp = `
May be repeated: a version that is published with this content is done already (exit 0); with other content it is an
error. A higher version of a registered major is an update, the next major a new record. A major below the latest one
that is not registered is probably a mistake: a person is asked, and otherwise it takes --allow-new-major. Control of the
DID is proven first when that is needed and a registry's web service is known.

Examples:
  $ app-registry publish metadata.json --did did:web:example.com --version 1.0.0
  $ app-registry publish metadata.json --did did:web:example.com --version 1.1.0 --dry-run
  $ PRIVATE_KEY=… app-registry publish metadata.json --did did:web:example.com --version 1.0.0 --yes --json`;

/** `publish`: registers a version of a service, or says that it is registered. */
export function addPublish(program: Program): void {
  const command = addCommand(program, "publish", "register a version of a service", publishHelp)
    .requiredOption("--version <version>", "version, major.minor.patch", (text) =>
      formatVersion(parseVersion(text)),
    )
    .option(
      "--interfaces <list>",
      "human, api, contract, or 1 to 7 (default: follows from the document)",
      parseInterfaces,
    )
    .option("--algorithm <name>", "keccak256 (default) or sha256", parseAlgorithm)
    .option("--data-url <url>", "where you host the document (default: the registry's own link)")
    .option("--allow-new-major", "register a major version below the latest one, if it is not registered yet")
    .option("--contract-id <id>", "CAIP-10 of the contract, for a new record")
    .option("--fungible-token-id <id>", "CAIP-19 of the token, for a new record");
  signs(command).action(
    program.action(async ({ terminal, timeoutMs, connect }, place, options) => {
      const connection = await connect();
      const metadata = await readMetadata(place, timeoutMs, terminal);
      const sender = await openSender(connection, options, terminal);
      const asks = terminal.interactive && !terminal.json && !options.yes;
      const allowNewMajor = options.allowNewMajor ?? asks;
      return publish(connection, sender, { metadata, ...options, ...statusOf(options), allowNewMajor });
    }),
  );
}

const updateHelp = `
Never registers a new major version. A document that is the published one is done already (exit 0), so this may be
repeated too.

Examples:
  $ app-registry update metadata.json --did did:web:example.com
  $ app-registry update metadata.json --did did:web:example.com --version minor
  $ app-registry update metadata.json --did did:web:example.com --version 1.4.0`;

/** `update`: publishes a changed document as the next version of a registered major. */
export function addUpdate(program: Program): void {
  const description = "publish a changed document as the next version of a registered service";
  const command = addCommand(program, "update", description, updateHelp)
    .option("--version <version>", "patch, minor, or major.minor.patch", "patch")
    .option("--major <number>", "major version that is updated (default: the latest)", parseMajor)
    .option(
      "--interfaces <list>",
      "human, api, contract, or 1 to 7 (default: those of the record)",
      parseInterfaces,
    )
    .option("--data-url <url>", "where you host the document (default: as the record has it)");
  signs(command).action(
    program.action(async ({ terminal, timeoutMs, connect }, place, { version: step, ...options }) => {
      const connection = await connect();
      const metadata = await readMetadata(place, timeoutMs, terminal);
      const sender = await openSender(connection, options, terminal);
      const { did, major } = options;
      const next = await inTime(connection, () => nextVersion(connection, did, metadata, step, major));
      const version = formatVersion(next);
      return publish(connection, sender, { metadata, ...options, ...statusOf(options), version });
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
