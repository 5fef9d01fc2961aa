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
} from "@app-registry/sdk";
import { undefinedIfNotRegistered } from "@app-registry/sdk/internal";
import { parseAlgorithm, parseCanonicalDid, parseInterfaces, parseMajor, readMetadata } from "../inputs.ts";
import { addSigningOptions, type Program } from "../program.ts";
import { proposePublication, publish } from "../publishing.ts";
import { openSender } from "../sending.ts";
import { expandFolders, NAME, publishMany } from "./publishMany.ts";

const steps = ["next", "patch", "minor"];

type VersionOptions = {
  did: string;
  version?: string | undefined;
  major?: number | undefined;
  interfaces?: number | undefined;
  rollback?: true | undefined;
  /** Permission to mint a new major that the changes ask for. */
  newMajor?: boolean | undefined;
};

/**
 * Returns the version to publish a document as: the given one, the next patch or minor, or for `next` the one that its
 * changes ask for. An unchanged document has its current version.
 */
async function readVersion(
  connection: Connection,
  metadata: string,
  { did, version: wanted = "next", major: given, interfaces, rollback, newMajor }: VersionOptions,
): Promise<string> {
  if (!steps.includes(wanted)) return formatVersion(parseVersion(wanted));
  const { client } = connection;
  const major = given ?? (await undefinedIfNotRegistered(client.latestMajor(did)));
  const { record, latestMajor = major } =
    major === undefined ? {} : await withTimeout(connection, () => readRegisteredDid(client, { did, major }));
  if (record && compareDocument(metadata, { ...record, dataHashAlgorithm: record.algorithm }).matches) {
    return formatVersion(record.version);
  }
  if (!record && (given !== undefined || wanted !== "next")) {
    // Throw a better error for a DID without any record.
    const latest = await client.latestMajor(did);
    throw new UsageError(
      `Major version ${given ?? latest} of ${did} is not registered.`,
      "Name its first version with --version.",
    );
  }
  if (record && major !== undefined && wanted !== "next") {
    const next = nextVersions(record, latestMajor ?? major)[wanted === "minor" ? "minor" : "patch"];
    if (next) return formatVersion(next);
    throw new UsageError(
      `There is no higher ${wanted} version after ${formatVersion(record.version)}.`,
      "Choose a higher version with --version, or publish a new major.",
    );
  }
  const proposal = await proposePublication(connection, { did, metadata, interfaces, major });
  const version = formatVersion(proposal.version);
  if (proposal.part !== undefined) await refuseSuperseded(connection, did, metadata, rollback);
  if (proposal.part === "major" && !newMajor) {
    throw new UsageError(
      `The changes may break callers, so they ask for ${version}, which mints a new record.`,
      "Pass --new-major, or publish a lower version with --version minor or patch. diff lists the changes.",
    );
  }
  return version;
}

/** Returns the status Active with `--reactivate`. */
const getRequestedStatus = ({ reactivate }: { reactivate?: true | undefined }) =>
  reactivate ? { status: 0 as const } : {};

const publishHelp = `
Publishes the version that the changes ask for, as diff names it, or the first version of a new service. Safe to repeat: if the document is already published, the command succeeds (exit 0). A document that equals an earlier version is refused without --rollback. A higher version of a registered major is an update; a new major is a new record. If the changes ask for a new major, or if you name one below the latest, which is probably a mistake, scripts must pass --new-major. If needed, and if a registry web service is configured, control of the DID is proven first.

Several documents, a folder or a --list are published together, and the command ends with a table. Run it again if it failed or was killed: it continues with what is not published yet. A list has one JSON object per line: file, did, and if they differ from the options version, interfaces and dataUrl.

Examples:
  $ app-registry publish metadata.json --did did:web:example.com
  $ app-registry publish metadata.json --did did:web:example.com --version patch
  $ app-registry publish services/ --did 'did:web:example.com:{name}'
  $ app-registry publish --list services.jsonl
  $ app-registry publish metadata.json --did did:web:example.com --version 1.1.0 --dry-run
  $ PRIVATE_KEY=… app-registry publish metadata.json --did did:web:example.com --yes --json`;

export function addPublish(program: Program): void {
  const command = program.root
    .command("publish")
    .alias("update")
    .description("register services and new versions of them")
    .argument(
      "[file|url...]",
      "the metadata document: a file, - for standard input, or a URL; or several, or a folder of .json files",
    )
    .option("--list <file>", "list of services (JSON Lines)")
    .option("--did <did>", `DID of the service, with ${NAME} for each file's name`, (text) =>
      text.includes(NAME) ? text : parseCanonicalDid(text),
    )
    .option(
      "--version <version>",
      "patch, minor, or major.minor.patch (default: next, the version that the changes ask for)",
      (text) => (steps.includes(text) ? text : formatVersion(parseVersion(text))),
    )
    .option("--major <number>", "major version to update (default: the latest)", parseMajor)
    .option("--new-major", "mint a new major version that the changes ask for, or one below the latest")
    .option(
      "--interfaces <list>",
      "human, api, contract, or 1 to 7 (default: those of the record, or derived from the document)",
      parseInterfaces,
    )
    .option("--algorithm <name>", "keccak256 (default) or sha256", parseAlgorithm)
    .option(
      "--data-url <url>",
      "where you host the document (default: the record's current URL, or the registry's own link)",
    )
    .option("--no-on-chain-json", "don't store the JSON on the chain (requires --data-url)")
    .option("--rollback", "publish a document again that equals an earlier version")
    .option("--reactivate", "set a Deprecated or Replaced record to Active after publishing")
    .option("--contract-id <id>", "CAIP-10 of the contract, for a new record")
    .option("--fungible-token-id <id>", "CAIP-19 of the token, for a new record")
    .addHelpText("after", publishHelp);
  addSigningOptions(command).action(
    program.action(async (session, places, options) => {
      const { terminal, timeoutMs, connect } = session;
      const { did } = options;
      const [place, ...others] = await expandFolders(places);
      const newMajor = options.newMajor ?? (terminal.interactive && !terminal.json && !options.yes);
      if (options.list !== undefined || others.length > 0 || did?.includes(NAME)) {
        refuseSingleOptions(options);
        const connection = await connect();
        const files = place === undefined ? [] : [place, ...others];
        return publishMany(session, connection, files, { ...options, newMajor }, (service, metadata) =>
          readVersion(connection, metadata, { ...options, ...service, newMajor }),
        );
      }
      if (place === undefined) throw new UsageError("Name a document, a folder or a --list.");
      if (did === undefined) throw new UsageError("Required option '--did <did>' not specified.");
      const connection = await connect();
      const metadata = await readMetadata(place, timeoutMs, terminal);
      const sender = await openSender(connection, options, terminal);
      const version = await readVersion(connection, metadata, { ...options, did, newMajor });
      return publish(connection, sender, {
        metadata,
        ...options,
        did,
        version,
        ...getRequestedStatus(options),
        allowNewMajor: newMajor,
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
