import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { type Connection, ExitCode, UsageError, withTimeout } from "@app-registry/mcp";
import {
  type HashAlgorithm,
  type PublishAppsEvent,
  type PublishAppsOutcome,
  planPublication,
  publishApps,
  type ServiceToPublish,
  toAppRegistryError,
} from "@app-registry/sdk";
import * as z from "zod";
import { parseCanonicalDid, readMetadata, readText } from "../inputs.ts";
import type { Session } from "../program.ts";
import { openSender, type Sender, type SigningOptions } from "../sending.ts";
import {
  columns,
  confirmSending,
  failureOutcome,
  type Line,
  type Outcome,
  paint,
  shortened,
} from "../terminal.ts";

/** Options of `publish` that apply to several documents. */
export type PublishManyOptions = SigningOptions & {
  list?: string | undefined;
  did?: string | undefined;
  version?: string | undefined;
  interfaces?: number | undefined;
  algorithm?: HashAlgorithm | undefined;
  dataUrl?: string | undefined;
  onChainJson?: boolean | undefined;
  newMajor?: boolean | undefined;
};

/** Part of `--did` and `--data-url` that stands for the name of each file. */
export const NAME = "{name}";

/** Maximum size of a list, in bytes. */
const MAX_LIST_SIZE = 2 ** 24;

/** Number of documents that are read at the same time. */
const CONCURRENCY = 20;

/** Line of a list. Fields that it lacks are those of the command. */
const lineSchema = z.strictObject({
  file: z.string(),
  did: z.string(),
  version: z.string().optional(),
  interfaces: z.int().min(1).max(7).optional(),
  dataUrl: z.string().optional(),
});

type Entry = z.output<typeof lineSchema>;

const isUrl = (place: string) => /^https?:\/\//i.test(place);

/** Returns the files of the folders among some places, sorted, and the other places. */
export async function expandFolders(places: readonly string[]): Promise<string[]> {
  const expanded = places.map(async (place) => {
    const isFolder = !isUrl(place) && (await stat(place).catch(() => undefined))?.isDirectory();
    if (!isFolder) return [place];
    const names = (await readdir(place)).filter((name) => name.endsWith(".json")).sort();
    return names.map((name) => join(place, name));
  });
  return (await Promise.all(expanded)).flat();
}

/** Returns the entries of files, each with the DID and the data URL of its name. */
function nameEntries(files: readonly string[], { did, dataUrl }: PublishManyOptions): Entry[] {
  if (files.length > 0 && !did?.includes(NAME)) {
    throw new UsageError(
      "Several documents need several DIDs.",
      `Use ${NAME} in --did for the name of each file, or --list.`,
    );
  }
  return files.map((file) => {
    const name = basename(file).replace(/\.json$/, "");
    const fill = (text: string) => text.replaceAll(NAME, () => name);
    return { file, did: fill(did ?? ""), ...(dataUrl && { dataUrl: fill(dataUrl) }) };
  });
}

/** Reads a list: one JSON object per line. Its files are relative to its folder. */
async function readList(list: string, timeoutMs: number): Promise<Entry[]> {
  const lines = (await readText(list, timeoutMs, MAX_LIST_SIZE)).split(/\r?\n/);
  return lines.flatMap((line, index) => {
    if (line.trim() === "") return [];
    try {
      const entry = lineSchema.parse(JSON.parse(line));
      const isPath = !isUrl(entry.file) && !isUrl(list) && list !== "-";
      return [{ ...entry, file: isPath ? resolve(dirname(list), entry.file) : entry.file }];
    } catch {
      throw new UsageError(
        `Line ${index + 1} of ${list} is not valid.`,
        'Each line is a JSON object such as {"file": "weather.json", "did": "did:web:example.com", "version": "1.0.0"}.',
      );
    }
  });
}

/** Reads the document of an entry, and the version to publish it as. */
async function readService(
  { terminal, timeoutMs }: Session,
  entry: Entry,
  { interfaces, algorithm, dataUrl, onChainJson, newMajor, version: wanted }: PublishManyOptions,
  readVersion: ReadVersion,
): Promise<ServiceToPublish> {
  const did = parseCanonicalDid(entry.did);
  const metadata = await readMetadata(entry.file, timeoutMs, terminal);
  const named = { did, version: entry.version ?? wanted, interfaces: entry.interfaces ?? interfaces };
  const version = await readVersion(named, metadata);
  const shared = { interfaces, algorithm, dataUrl, onChainJson, allowNewMajor: newMajor };
  const { file: _, ...own } = entry;
  return { ...shared, ...own, did, version, metadata };
}

type ReadVersion = (
  service: { did: string; version: string | undefined; interfaces: number | undefined },
  metadata: string,
) => Promise<string>;

/** Outcome of a service, with the version that was to be published. */
type Result = { version: string | undefined; outcome: PublishAppsOutcome | Planned };

/** Outcome of a service in a dry run. */
type Planned = { status: "mint" | "update" | "none"; did: string };

/** Publishes several documents, and lists the outcome of each. */
export async function publishMany(
  session: Session,
  connection: Connection,
  files: readonly string[],
  options: PublishManyOptions,
  readVersion: ReadVersion,
): Promise<Outcome> {
  const { terminal, timeoutMs } = session;
  const listed = options.list === undefined ? [] : await readList(options.list, timeoutMs);
  const entries = [...nameEntries(files, options), ...listed];
  if (entries.length === 0) throw new UsageError("There is no document to publish.");
  const sender = await openSender(connection, options, terminal);
  const read = await attemptAll(entries, (entry) => readService(session, entry, options, readVersion));
  const services = read.filter((one): one is ServiceToPublish => !("status" in one));
  const outcomes: Result["outcome"][] = sender.dryRun
    ? await attemptAll(services, (service) => planService(connection, service))
    : await sendAll(session, connection, sender, services);
  const results = read.map((one, index): Result => {
    if ("status" in one) return { version: entries[index]?.version, outcome: one };
    return { version: String(one.version), outcome: outcomes.shift() as Result["outcome"] };
  });
  const { json, ...shown } = describeResults(results, connection.appUrl !== undefined);
  return { json: { ...json, ...(sender.dryRun && { status: "dry-run" }) }, ...shown };
}

/** Plans what would be sent for a service. */
async function planService(
  connection: Connection,
  { metadata, ...service }: ServiceToPublish,
): Promise<Planned> {
  const { client, appUrl: baseUrl } = connection;
  const plan = planPublication({ baseUrl, ...service, client, metadata: String(metadata) });
  return { status: (await withTimeout(connection, () => plan)).action, did: service.did };
}

async function sendAll(
  { terminal }: Session,
  connection: Connection,
  { address, yes, openSigner }: Sender,
  services: readonly ServiceToPublish[],
): Promise<PublishAppsOutcome[]> {
  const question = [`Publish ${services.length.toLocaleString("en")} services with ${address}.`];
  if (!yes) await confirmSending(terminal, question, "Send a transaction for each?");
  const onProgress = (event: PublishAppsEvent) => {
    if (event.type === "waiting") {
      const reason = event.response?.detail ?? "The registry isn't responding.";
      terminal.note(`Waiting for ${event.seconds} seconds. ${shortened(reason)}`);
      return;
    }
    const { finished, total, outcome } = event;
    const shown = outcome.status === "failed" ? `failed: ${outcome.error.shortMessage}` : outcome.status;
    terminal.note(`${finished}/${total}  ${outcome.did}  ${shown}`);
  };
  return publishApps({ client: await openSigner(), baseUrl: connection.appUrl, services, onProgress });
}

type Failed = Extract<PublishAppsOutcome, { status: "failed" }>;

/** Does something for each service, for some at a time. A failure of one does not stop the others. */
async function attemptAll<Service extends { did: string }, Done>(
  services: readonly Service[],
  attempt: (service: Service) => Promise<Done>,
): Promise<(Done | Failed)[]> {
  const results: (Done | Failed)[] = [];
  for (let start = 0; start < services.length; start += CONCURRENCY) {
    const some = services
      .slice(start, start + CONCURRENCY)
      .map((service) =>
        attempt(service).catch(
          (error): Failed => ({ status: "failed", did: service.did, error: toAppRegistryError(error) }),
        ),
      );
    results.push(...(await Promise.all(some)));
  }
  return results;
}

/** Formats the outcomes as a table, with what failed at its end. Without a service, nothing is attested. */
function describeResults(results: readonly Result[], hasService: boolean): Outcome {
  const isUnattested = ({ outcome }: Result) => hasService && "attested" in outcome && !outcome.attested;
  const services = results.map(({ version, outcome }) =>
    outcome.status === "failed"
      ? { status: outcome.status, did: outcome.did, version, error: failureOutcome(outcome.error).json.error }
      : { ...outcome, version },
  );
  const rows = results.map((result): Line[] => {
    const { version, outcome } = result;
    const status = isUnattested(result) ? "published, not attested" : outcome.status;
    const style = outcome.status === "failed" ? "red" : isUnattested(result) ? "yellow" : "green";
    return [outcome.did, version ?? "", paint(style, status)];
  });
  const failed = results.flatMap(({ outcome }) => (outcome.status === "failed" ? [outcome] : []));
  const open = results.filter(isUnattested).length;
  const codes = failed.map(({ error }) => failureOutcome(error).exitCode);
  const exitCode = codes.some((code) => code !== ExitCode.unknown)
    ? ExitCode.failed
    : codes.length + open > 0
      ? ExitCode.unknown
      : ExitCode.ok;
  const count = (number: number, words: string) => `${number.toLocaleString("en")} ${words}`;
  const counts = [count(results.length - failed.length, "done"), count(failed.length, "failed")];
  const again = open > 0 ? [`${count(open, "not attested")}. Run publish again.`] : [];
  return {
    json: { status: exitCode === ExitCode.ok ? "published" : "incomplete", services },
    lines: [
      ...columns(rows as Parameters<typeof columns>[0]),
      "",
      `${counts.join(", ")}.`,
      ...again,
      ...failed.map(({ did, error }) => `${did}: ${error.shortMessage} ${error.action ?? ""}`),
    ],
    exitCode,
  };
}
