import { mkdir, readFile, realpath, rename, rm, writeFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { type Connection, ExitCode, UsageError } from "@app-registry/mcp";
import { printable } from "@app-registry/outbound/internal";
import { getSite } from "@app-registry/outbound/site";
import {
  type CapabilityChange,
  compareCapabilities,
  type Fact,
  liveFact,
  type ProbedService,
  parseJsonStrict,
  parseVersion,
  summarizeChanges,
  verifyApp,
} from "@app-registry/sdk";
import { z } from "zod";
import { parseCanonicalDid } from "../inputs.ts";
import type { Program } from "../program.ts";
import { readVersionDocument } from "../versionDocument.ts";
import { createProbe } from "./probe.ts";

const examples = `
Prints one line for each service whose version, tools, control, content or liveness changed since the last run, and nothing for the others, so that cron only mails changes. A fact that is unknown this time keeps its last outcome. A line that can't be written is printed again by the next run.

Exit code: 0 if every service was checked, 3 if the chain did not respond.

Examples:
  $ app-registry watch did:web:example.com did:web:example.org
  $ app-registry watch did:web:example.com --state /var/lib/watch.json --json`;

/** Last version and outcomes of a service. */
const serviceStateSchema = z.object({
  version: z.string().nullable(),
  facts: z.record(z.string(), z.enum(["pass", "fail"])),
  /** Reason that the last live check failed, so that a further change of its tools shows. */
  liveReason: z.string().optional(),
});

const stateSchema = z.record(z.string(), serviceStateSchema);

type ServiceState = z.output<typeof serviceStateSchema>;

/** Adds `watch`, which prints what changed in services since its last run. */
export function addWatch({ root, action }: Program): void {
  root
    .command("watch")
    .description("print what changed in services since the last run, one line each")
    .argument("<did...>", "DIDs of the services", (did, dids: string[] = []) => [
      ...dids,
      parseCanonicalDid(did),
    ])
    .option("--state <file>", "file with the results of the last run", "app-registry-watch.json")
    .option("--no-live", "don't check that the services respond")
    .addHelpText("after", examples)
    .action(
      action(async ({ connect, terminal }, dids, { state: file, live }) => {
        const last = await readState(file);
        const connection = await connect();
        const services: Awaited<ReturnType<typeof checkService>>[] = [];
        for (const did of new Set(dids)) services.push(await checkService(connection, did, last[did], live));
        const state = Object.fromEntries(
          services.flatMap(({ did, state: one }) => (one ? [[did, one]] : [])),
        );
        const replaceState = await prepareState(file, state);
        const isUnknown = services.some((service) => service.state === undefined);
        for (const { state: one, line } of services) if (!one) terminal.note(line);
        return {
          json: { services: services.map(({ state: _, ...service }) => service) },
          lines: services.flatMap(({ state: one, line }) => (one && line ? [line] : [])),
          exitCode: isUnknown ? ExitCode.unknown : ExitCode.ok,
          onWritten: replaceState,
        };
      }),
    );
}

async function readState(file: string): Promise<Record<string, ServiceState>> {
  const text = await readFile(file, "utf8").catch((error) => {
    if (error.code === "ENOENT") return "{}";
    throw new UsageError(`The file ${file} can't be read.`, "Choose another file with --state.");
  });
  try {
    return stateSchema.parse(JSON.parse(text));
  } catch {
    throw new UsageError(`The file ${file} is not a state of watch.`, "Choose another file with --state.");
  }
}

/**
 * Returns a function that writes the states of services beside those of others, which another run may have written
 * since. It replaces the file in one step, so that an interrupted run leaves the last state.
 *
 * @throws UsageError if the file can't be written
 */
async function prepareState(file: string, state: Record<string, ServiceState>): Promise<() => Promise<void>> {
  const target = await realpath(file).catch(() => file);
  const next = `${target}.${process.pid}.tmp`;
  const write = async () =>
    writeFile(next, `${JSON.stringify({ ...(await readState(file)), ...state }, null, 2)}\n`);
  try {
    await write();
  } catch {
    throw new UsageError(`The file ${file} can't be written.`, "Choose another file with --state.");
  } finally {
    await rm(next, { force: true });
  }
  return () =>
    withLock(`${target}.lock`, async () => {
      await write();
      await rename(next, target);
    });
}

/** Interval between attempts to lock, in milliseconds, and their number, after which a crashed run left the lock. */
const LOCK_INTERVAL = 50;
const MAX_ATTEMPTS = 100;

/** Runs a short task while no other process runs one with the same lock, which is a folder. */
async function withLock(lock: string, task: () => Promise<void>): Promise<void> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      await mkdir(lock);
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      if (attempts % MAX_ATTEMPTS === 0) await rm(lock, { recursive: true, force: true });
      await setTimeout(LOCK_INTERVAL);
    }
  }
  try {
    await task();
  } finally {
    await rm(lock, { recursive: true, force: true });
  }
}

/** Checks a service and compares it with its last state. Returns no state if the chain did not respond. */
async function checkService(
  connection: Connection,
  did: string,
  last: ServiceState | undefined,
  isLive: boolean,
) {
  const { client, timeoutMs, fetchDocument } = connection;
  const probe = createProbe(connection);
  const readLive = isLive ? async (service: ProbedService) => liveFact(await probe(service)) : undefined;
  const { version, facts, blockNumber } = await verifyApp({
    ...{ client, did, fetchDocument, siteOf: getSite, timeoutMs, readLive },
  });
  const found = Object.entries<Fact>(facts);
  if (blockNumber === null) {
    const line = `${did}: unknown. ${facts.record.reason}`;
    return { did, before: last?.version ?? null, version: null, changes: [], facts: [], line };
  }
  const known = found.flatMap(([name, { outcome }]) =>
    outcome === "unknown" ? [] : [[name, outcome] as const],
  );
  const state: ServiceState = {
    version,
    facts: { ...last?.facts, ...Object.fromEntries(known) },
    liveReason: facts.live?.outcome === "fail" ? facts.live.reason : last?.liveReason,
  };
  const isMoved = last !== undefined && last.version !== version;
  const changes = isMoved ? await readChanges(connection, did, last.version, version) : undefined;
  const { liveReason } = last ?? {};
  const isNews = (name: string, { outcome, reason }: Fact) =>
    last?.facts[name] !== outcome ||
    (name === "live" && outcome === "fail" && liveReason !== undefined && liveReason !== reason);
  const changed = found
    .filter(([name, fact]) => fact.outcome !== "unknown" && isNews(name, fact))
    .map(([name, { outcome, reason }]) => ({ name, outcome, reason }));
  const told = changed
    // A fact that passes when it is first known has not changed.
    .filter(({ name, outcome }) => last?.facts[name] !== undefined || outcome === "fail")
    .map(({ name, outcome, reason }) =>
      outcome === "pass" ? `${name} passes` : `${name} fails: ${printable(reason, MAX_REASON)}`,
    );
  const parts = [...describeVersion(version, last, changes), ...told];
  const line = parts.length === 0 ? "" : `${did}: ${parts.join("; ")}`;
  return { did, before: last?.version ?? null, version, changes: changes ?? [], facts: changed, line, state };
}

/** Maximum length of a reason, in characters. */
const MAX_REASON = 200;

function describeVersion(
  version: string | null,
  last: ServiceState | undefined,
  changes: readonly CapabilityChange[] | undefined,
): string[] {
  if (last && last.version === version) return [];
  if (version === null) return ["not registered"];
  if (!last?.version) return [`version ${version}`];
  const summary =
    changes === undefined ? "changes unknown" : summarizeChanges(changes) || "same tools and endpoints";
  return [`version ${version} after ${last.version} (${printable(summary, MAX_REASON)})`];
}

/** Compares the documents of two versions. Returns `undefined` if one of them can't be read. */
async function readChanges(
  connection: Connection,
  did: string,
  ...versions: (string | null)[]
): Promise<CapabilityChange[] | undefined> {
  const read = async (version: string | null) =>
    version === null
      ? null
      : parseJsonStrict((await readVersionDocument(connection, did, parseVersion(version))).canonical);
  try {
    const [before = null, after = null] = await Promise.all(versions.map(read));
    return compareCapabilities(before, after);
  } catch {
    return undefined;
  }
}
