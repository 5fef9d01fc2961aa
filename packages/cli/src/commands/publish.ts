import { type Connection, UsageError, withTimeout } from "@app-registry/mcp";
import {
  AppRegistryError,
  compareDocument,
  formatVersion,
  HashAlgorithm,
  hashDocument,
  nextVersions,
  parseVersion,
  readRegisteredDid,
  type Version,
} from "@app-registry/sdk";
import { undefinedIfNotRegistered } from "@app-registry/sdk/internal";
import { parseAlgorithm, parseCanonicalDid, parseInterfaces, parseMajor, readMetadata } from "../inputs.ts";
import { addSigningOptions, type Program } from "../program.ts";
import { proposePublication } from "../proposal.ts";
import { publish } from "../publishing.ts";
import { openSender } from "../sending.ts";
import { expandFolders, NAME, publishMany } from "./publishMany.ts";

/** Adds a command that publishes. */
const addCommand = ({ root }: Program, name: string, description: string, help: string) =>
  root
    .command(name)
    .description(description)
    .option("--no-on-chain-json", "don't store the JSON on the chain (requires --data-url)")
    .option("--rollback", "publish a document again that equals an earlier version")
    .option("--reactivate", "set a Deprecated or Replaced record to Active after publishing")
    .addHelpText("after", help);

const documentPlace = "the metadata document: a file, - for standard input, or a URL";

type UpdateOptions = {
  did: string;
  version?: string | undefined;
  major?: number | undefined;
  interfaces?: number | undefined;
  rollback?: true | undefined;
};

/** Returns the version to publish a document as, or for `next` the one that its changes ask for. */
async function readVersion(
  connection: Connection,
  metadata: string,
  options: UpdateOptions & { version: string },
): Promise<string> {
  if (options.version !== "next") return options.version;
  const { version, part } = await proposePublication(connection, { ...options, metadata });
  if (part !== undefined) await refuseSuperseded(connection, options.did, metadata, options.rollback);
  return formatVersion(version);
}

/** Returns the status Active with `--reactivate`. */
const getRequestedStatus = ({ reactivate }: { reactivate?: true | undefined }) =>
  reactivate ? { status: 0 as const } : {};

const publishHelp = `
Safe to repeat: if this version is already published with the same content, the command succeeds (exit 0). Different content is an error. A higher version of a registered major is an update; the next major is a new record. An unregistered major below the latest is probably a mistake, so you're asked to confirm, or must pass --allow-new-major in scripts. If needed, and if a registry web service is configured, control of the DID is proven first.

Several documents, a folder or a --list are published together, and the command ends with a table. Run it again if it failed or was killed: it continues with what is not published yet. A list has one JSON object per line: file, did, and if they differ from the options version, interfaces and dataUrl.

Examples:
  $ app-registry publish metadata.json --did did:web:example.com --version 1.0.0
  $ app-registry publish services/ --did 'did:web:example.com:{name}' --version 1.0.0
  $ app-registry publish --list services.jsonl --version next
  $ app-registry publish metadata.json --did did:web:example.com --version 1.1.0 --dry-run
  $ app-registry publish metadata.json --did did:web:example.com --version next
  $ PRIVATE_KEY=… app-registry publish metadata.json --did did:web:example.com --version 1.0.0 --yes --json`;

/** Adds `publish`, which registers a version of a service or reports that it is registered. */
export function addPublish(program: Program): void {
  const command = addCommand(program, "publish", "register versions of services", publishHelp)
    .argument("[file|url...]", `${documentPlace}; or several, or a folder of .json files`)
    .option("--list <file>", "list of services (JSON Lines)")
    .option("--did <did>", `DID of the service, with ${NAME} for each file's name`, (text) =>
      text.includes(NAME) ? text : parseCanonicalDid(text),
    )
    .option(
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
    .option("--allow-new-major", "register a major version below the latest one")
    .option("--contract-id <id>", "CAIP-10 of the contract, for a new record")
    .option("--fungible-token-id <id>", "CAIP-19 of the token, for a new record");
  addSigningOptions(command).action(
    program.action(async (session, places, options) => {
      const { terminal, timeoutMs, connect } = session;
      const { did, version: wanted, rollback, ...rest } = options;
      const [place, ...others] = await expandFolders(places);
      if (options.list !== undefined || others.length > 0 || did?.includes(NAME)) {
        refuseSingleOptions(options);
        const connection = await connect();
        const files = place === undefined ? [] : [place, ...others];
        return publishMany(session, connection, files, options, (named, metadata) =>
          readVersion(connection, metadata, { did: named, version: "next", rollback }),
        );
      }
      if (place === undefined) throw new UsageError("Name a document, a folder or a --list.");
      for (const [name, value] of Object.entries({ did, version: wanted })) {
        if (value === undefined) throw new UsageError(`Required option '--${name} <${name}>' not specified.`);
      }
      const request = { ...rest, rollback, did: did as string, version: wanted as string };
      const connection = await connect();
      const metadata = await readMetadata(place, timeoutMs, terminal);
      const sender = await openSender(connection, options, terminal);
      const asks = terminal.interactive && !terminal.json && !options.yes;
      const allowNewMajor = options.allowNewMajor ?? asks;
      const version = await readVersion(connection, metadata, request);
      return publish(connection, sender, {
        metadata,
        ...request,
        version,
        ...getRequestedStatus(options),
        allowNewMajor,
      });
    }),
  );
}

/** Refuses options that are of one record. @throws {UsageError} */
function refuseSingleOptions(options: {
  contractId?: string | undefined;
  fungibleTokenId?: string | undefined;
  reactivate?: true | undefined;
}): void {
  const { contractId, fungibleTokenId, reactivate } = options;
  if (contractId === undefined && fungibleTokenId === undefined && !reactivate) return;
  throw new UsageError(
    "--contract-id, --fungible-token-id and --reactivate are of one service.",
    "Publish that service alone.",
  );
}

const updateHelp = `
Publishes the version that the changes ask for, as diff names it, and refuses changes that ask for a new major. Safe to repeat: if the document is already published, the command succeeds (exit 0). A document that equals an earlier version is refused without --rollback.

Examples:
  $ app-registry update metadata.json --did did:web:example.com
  $ app-registry update metadata.json --did did:web:example.com --version patch
  $ app-registry update metadata.json --did did:web:example.com --version 1.4.0`;

/** Adds `update`, which publishes a changed document as the next version of a registered major version. */
export function addUpdate(program: Program): void {
  const description = "publish a changed document as the next version of a registered service";
  const command = addCommand(program, "update", description, updateHelp)
    .argument("<file|url>", documentPlace)
    .requiredOption("--did <did>", "DID of the service", parseCanonicalDid)
    .option(
      "--version <version>",
      "patch, minor, or major.minor.patch (default: the version that the changes ask for)",
    )
    .option("--major <number>", "major version to update (default: the latest)", parseMajor)
    .option(
      "--interfaces <list>",
      "human, api, contract, or 1 to 7 (default: those of the record)",
      parseInterfaces,
    )
    .option("--data-url <url>", "where you host the document (default: the record's current URL)");
  addSigningOptions(command).action(
    program.action(async ({ terminal, timeoutMs, connect }, place, options) => {
      const connection = await connect();
      const metadata = await readMetadata(place, timeoutMs, terminal);
      const sender = await openSender(connection, options, terminal);
      const next = await withTimeout(connection, () => nextVersion(connection, metadata, options));
      const version = formatVersion(next);
      return publish(connection, sender, { metadata, ...options, ...getRequestedStatus(options), version });
    }),
  );
}

/** Returns the version that an update publishes: the current one if the document is unchanged. */
async function nextVersion(
  connection: Connection,
  metadata: string,
  { did, version: step, major: wanted, interfaces, rollback }: UpdateOptions,
): Promise<Version> {
  const { client } = connection;
  const named = step === undefined || step === "patch" || step === "minor" ? undefined : parseVersion(step);
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
  if (step === undefined) {
    const proposal = await proposePublication(connection, { did, metadata, interfaces, major });
    await refuseSuperseded(connection, did, metadata, rollback);
    if (proposal.part !== "major") return proposal.version;
    throw new UsageError(
      `The changes may break callers, so they ask for ${formatVersion(proposal.version)}.`,
      "Use publish --version next, or publish a lower version with --version minor or patch. diff lists the changes.",
    );
  }
  const next = nextVersions(record, latestMajor ?? major)[step === "minor" ? "minor" : "patch"];
  if (next) return next;
  throw new UsageError(
    `There is no higher ${step} version after ${formatVersion(record.version)}.`,
    "Choose a higher version with --version, or publish a new major.",
  );
}

/** Error for a document that was published before, so that an old job doesn't undo a newer one. */
class SupersededError extends AppRegistryError {
  override readonly name = "SupersededError";
  readonly code = "superseded";
}

/**
 * Refuses a document that equals an earlier version.
 *
 * @throws {SupersededError} unless the user asks to roll back.
 */
async function refuseSuperseded(
  { client }: Connection,
  did: string,
  metadata: string,
  rollback: true | undefined,
): Promise<void> {
  if (rollback) return;
  const latest = await undefinedIfNotRegistered(client.latestMajor(did));
  if (latest === undefined) return;
  const majors = Array.from({ length: latest + 1 }, (_, major) => major);
  const lists = await Promise.all(
    majors.map((major) => undefinedIfNotRegistered(client.listVersionRecords({ did, major }))),
  );
  const records = lists.flatMap((list) => list ?? []);
  const hashes = [HashAlgorithm.keccak256, HashAlgorithm.sha256].map(
    (algorithm) => hashDocument(metadata, algorithm).dataHash,
  );
  const earlier = records.findLast(({ dataHash }) => hashes.includes(dataHash));
  const newest = records.at(-1);
  if (!earlier || !newest || earlier === newest) return;
  const [version, successor] = [earlier, newest].map((record) => formatVersion(record.version));
  throw new SupersededError(
    `This document is already published as ${did} ${version}, superseded by ${successor}.`,
    { action: "Pass --rollback to publish it again as a new version.", docsPath: "/cli" },
  );
}
