import { type Connection, UsageError, withTimeout } from "@app-registry/mcp";
import {
  compareDocument,
  formatVersion,
  nextVersions,
  parseVersion,
  readRegisteredDid,
  type Version,
} from "@app-registry/sdk";
import { parseAlgorithm, parseCanonicalDid, parseInterfaces, parseMajor, readMetadata } from "../inputs.ts";
import { addSigningOptions, type Program } from "../program.ts";
import { proposePublication } from "../proposal.ts";
import { publish } from "../publishing.ts";
import { openSender } from "../sending.ts";

/** Adds a command with a document and a DID to publish it under. */
const addCommand = ({ root }: Program, name: string, description: string, help: string) =>
  root
    .command(name)
    .description(description)
    .argument("<file|url>", "the metadata document: a file, - for standard input, or a URL")
    .requiredOption("--did <did>", "DID of the service", parseCanonicalDid)
    .option("--no-on-chain-json", "don't store the JSON on the chain (requires --data-url)")
    .option("--reactivate", "set a Deprecated or Replaced record to Active after publishing")
    .addHelpText("after", help);

/** Returns the status Active with `--reactivate`. */
const getRequestedStatus = ({ reactivate }: { reactivate?: true | undefined }) =>
  reactivate ? { status: 0 as const } : {};

const publishHelp = `
Safe to repeat: if this version is already published with the same content, the command succeeds (exit 0). Different content is an error. A higher version of a registered major is an update; the next major is a new record. An unregistered major below the latest is probably a mistake, so you're asked to confirm, or must pass --allow-new-major in scripts. If needed, and if a registry web service is configured, control of the DID is proven first.

Examples:
  $ app-registry publish metadata.json --did did:web:example.com --version 1.0.0
  $ app-registry publish metadata.json --did did:web:example.com --version 1.1.0 --dry-run
  $ app-registry publish metadata.json --did did:web:example.com --version next
  $ PRIVATE_KEY=… app-registry publish metadata.json --did did:web:example.com --version 1.0.0 --yes --json`;

/** Adds `publish`, which registers a version of a service or reports that it is registered. */
export function addPublish(program: Program): void {
  const command = addCommand(program, "publish", "register a version of a service", publishHelp)
    .requiredOption(
      "--version <version>",
      "major.minor.patch, or next for the version that the changes ask for",
      (text) => (text === "next" ? text : formatVersion(parseVersion(text))),
    )
    .option(
      "--interfaces <list>",
      "human, api, contract, or 1 to 7 (default: derived from the document)",
      parseInterfaces,
    )
    .option("--algorithm <name>", "keccak256 (default) or sha256", parseAlgorithm)
    .option("--data-url <url>", "where you host the document (default: the registry's own link)")
    .option("--allow-new-major", "register a major version below the latest one, if it is not registered yet")
    .option("--contract-id <id>", "CAIP-10 of the contract, for a new record")
    .option("--fungible-token-id <id>", "CAIP-19 of the token, for a new record");
  addSigningOptions(command).action(
    program.action(async ({ terminal, timeoutMs, connect }, place, options) => {
      const connection = await connect();
      const metadata = await readMetadata(place, timeoutMs, terminal);
      const sender = await openSender(connection, options, terminal);
      const asks = terminal.interactive && !terminal.json && !options.yes;
      const allowNewMajor = options.allowNewMajor ?? asks;
      const version =
        options.version === "next"
          ? formatVersion((await proposePublication(connection, { ...options, metadata })).version)
          : options.version;
      return publish(connection, sender, {
        metadata,
        ...options,
        version,
        ...getRequestedStatus(options),
        allowNewMajor,
      });
    }),
  );
}

const updateHelp = `
Never registers a new major version. Safe to repeat: if the document is already published, the command succeeds (exit 0).

Examples:
  $ app-registry update metadata.json --did did:web:example.com
  $ app-registry update metadata.json --did did:web:example.com --version minor
  $ app-registry update metadata.json --did did:web:example.com --version 1.4.0`;

/** Adds `update`, which publishes a changed document as the next version of a registered major version. */
export function addUpdate(program: Program): void {
  const description = "publish a changed document as the next version of a registered service";
  const command = addCommand(program, "update", description, updateHelp)
    .option("--version <version>", "patch, minor, or major.minor.patch", "patch")
    .option("--major <number>", "major version to update (default: the latest)", parseMajor)
    .option(
      "--interfaces <list>",
      "human, api, contract, or 1 to 7 (default: those of the record)",
      parseInterfaces,
    )
    .option("--data-url <url>", "where you host the document (default: the record's current URL)");
  addSigningOptions(command).action(
    program.action(async ({ terminal, timeoutMs, connect }, place, { version: step, ...options }) => {
      const connection = await connect();
      const metadata = await readMetadata(place, timeoutMs, terminal);
      const sender = await openSender(connection, options, terminal);
      const { did, major } = options;
      const next = await withTimeout(connection, () => nextVersion(connection, did, metadata, step, major));
      const version = formatVersion(next);
      return publish(connection, sender, { metadata, ...options, ...getRequestedStatus(options), version });
    }),
  );
}

/** Returns the version that an update publishes: the current one if the document is unchanged. */
async function nextVersion(
  { client }: Connection,
  did: string,
  metadata: string,
  step: string,
  wanted: number | undefined,
): Promise<Version> {
  const named = step === "patch" || step === "minor" ? undefined : parseVersion(step);
  const major = named?.major ?? wanted ?? (await client.latestMajor(did));
  const { record, latestMajor } = await readRegisteredDid(client, { did, major });
  if (!record) {
    // Throw a better error for a DID without any record.
    if (latestMajor === undefined) await client.latestMajor(did);
    throw new UsageError(
      `Major version ${major} of ${did} is not registered.`,
      "Use publish to register it.",
    );
  }
  if (named) return named;
  const { matches } = compareDocument(metadata, { ...record, dataHashAlgorithm: record.algorithm });
  if (matches) return record.version;
  const next = nextVersions(record, latestMajor ?? major)[step === "minor" ? "minor" : "patch"];
  if (next) return next;
  throw new UsageError(
    `There is no higher ${step} version after ${formatVersion(record.version)}.`,
    "Choose a higher version with --version, or publish a new major.",
  );
}
