import { existsSync } from "node:fs";
import { type Connection, confirmService, ExitCode, readTextFile, UsageError } from "@app-registry/mcp";
import {
  AppRegistryError,
  findServices,
  type Lookup,
  LookupError,
  parseSubject,
  type ServiceProbe,
} from "@app-registry/sdk";
import { claimReasons, toLiveOutcome } from "@app-registry/sdk/internal";
import { Option } from "@commander-js/extra-typings";
import {
  type ConfiguredServer,
  createGuardEntry,
  type Guard,
  listClientFiles,
  listServers,
  parseConfiguration,
  replaceEntry,
  writeConfiguration,
} from "../audit/clientFiles.ts";
import type { Program } from "../program.ts";
import { columns, type Line, type Outcome, paint, type Terminal } from "../terminal.ts";
import { probeRegistered } from "./verify.ts";

/** Verdicts about a configured server, best first, with their words. */
const verdicts = {
  guarded: "connected through the guard",
  same: "registered, same at the last check",
  registered: "registered, not compared",
  program: "a program on this machine, not checked",
  differs: "registered and differs",
  uncontrolled: "registered, control not proven",
  claimed: "claimed only",
  unregistered: "not registered",
  unknown: "couldn't be looked up",
} as const;

type Verdict = keyof typeof verdicts;

const order = Object.keys(verdicts) as Verdict[];
const styles = {
  guarded: "green",
  same: "green",
  registered: "green",
  program: "dim",
  unknown: "yellow",
} as const;

/** Maximum size of a configuration, in bytes. Claude Code's own file also has the history of its projects. */
const MAX_CONFIGURATION = 2 ** 26;

const examples = `
Reads the configurations of Claude Code and Desktop, Cursor, VS Code, Gemini CLI, Codex, Windsurf and Zed at their usual places, or the files named. Sends only the servers' addresses, without their queries, to the registry, and nothing to the servers without --live. Never prints or sends headers, queries or the environment.
--fix writes the guard in place of a registered server's address, and keeps a copy of the file.

Exit code: 0 if no server is worse than --allow, 1 if one is, 3 if one couldn't be looked up and none is worse.

Examples:
  $ app-registry audit
  $ app-registry audit .mcp.json --allow same --json
  $ app-registry audit --fix`;

export function addAudit({ root, action }: Program): void {
  root
    .command("audit")
    .description("check which servers of your MCP clients are registered")
    .argument("[files...]", "configurations (default: the usual places of the clients)")
    .addOption(
      new Option("--allow <verdict>", "worst verdict to accept").choices(order).default("program" as Verdict),
    )
    .option("--live", "ask registered servers now, instead of using the registry's last check")
    .option("--fix", "connect to registered servers through the guard")
    .addHelpText("after", examples)
    .action(
      action(async ({ connect, terminal }, files, { allow, live = false, fix = false }) => {
        const connection = await connect();
        const places =
          files.length > 0 ? files : listClientFiles(process.cwd()).filter((file) => existsSync(file));
        // Users have the same servers in several clients.
        const judged = new Map<string, ReturnType<JudgeAddress>>();
        const judgeAddress: JudgeAddress = (url) => {
          const judging = judged.get(url) ?? lookUpAddress(connection, url, live);
          judged.set(url, judging);
          return judging;
        };
        const guard = fix ? getGuard(connection) : undefined;
        const audited = [];
        for (const file of places)
          audited.push(
            ...(await auditFile({ connection, judgeAddress, guard, terminal }, file).catch(
              (error: unknown) => {
                // One file must not hide the servers of the others.
                if (!(error instanceof UsageError)) throw error;
                return [{ file, name: "", target: file, verdict: "unknown" as const, detail: error.message }];
              },
            )),
          );
        return auditOutcome(places, audited, allow);
      }),
    );
}

/** Server of a file with its verdict. */
type Audited = {
  file: string;
  name: string;
  /** Address without its query, service or program. */
  target: string;
  verdict: Verdict;
  did?: string;
  detail?: string;
};

type Audit = {
  connection: Connection;
  judgeAddress: JudgeAddress;
  /** Takes the place of registered addresses. Absent without --fix. */
  guard: Omit<Guard, "did"> | undefined;
  terminal: Terminal;
};

async function auditFile(
  { connection, judgeAddress, guard, terminal }: Audit,
  file: string,
): Promise<Audited[]> {
  const text = await readTextFile(`The file ${file}`, file, MAX_CONFIGURATION);
  const audited: Audited[] = [];
  // Editors on Windows write a byte order mark.
  const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  let changed = text.slice(mark.length);
  for (const server of listServers(parseConfiguration(file, changed))) {
    const judged = await judge(connection, judgeAddress, server);
    const about = { file, name: server.name, ...judged };
    const { did } = judged;
    if (guard === undefined || did === undefined) {
      audited.push(about);
      continue;
    }
    try {
      const entry = createGuardEntry(server, { did, ...guard }, process.platform);
      changed = replaceEntry(file, changed, server, entry);
      audited.push({ ...about, verdict: "guarded", detail: "changed by --fix" });
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      const detail = [about.detail, `not changed: ${error.message}`].filter(Boolean).join(", ");
      audited.push({ ...about, detail });
    }
  }
  if (mark + changed !== text) {
    const copy = await writeConfiguration(file, text, mark + changed);
    terminal.note(paint("dim", `${file} has changed. A copy is at ${copy}.`));
  }
  return audited;
}

function getGuard({ packages, appUrl }: Connection): Omit<Guard, "did"> {
  if (packages?.mcp === undefined || appUrl === undefined)
    throw new UsageError("This registry doesn't serve the guard, so --fix can't name it.");
  return { package: packages.mcp, registryUrl: appUrl };
}

type Judged = Pick<Audited, "target" | "verdict" | "did" | "detail">;

type JudgeAddress = (url: string) => Promise<Omit<Judged, "target">>;

async function judge(
  { appUrl }: Connection,
  judgeAddress: JudgeAddress,
  server: ConfiguredServer,
): Promise<Judged> {
  switch (server.kind) {
    case "program":
      return { target: server.program, verdict: "program" };
    case "unreadable":
      return { target: "", verdict: "unknown", detail: server.reason };
    case "guarded":
      return server.registryUrl === appUrl
        ? { target: server.service, verdict: "guarded" }
        : { target: server.service, verdict: "program", detail: "the guard of another registry" };
    case "address": {
      const judged = { target: server.url, ...(await judgeAddress(server.url)) };
      if (!server.hasQuery || judged.did === undefined) return judged;
      const detail = `${judged.did} has this address without its query, which is not looked up`;
      return { target: server.url, verdict: "unknown", detail };
    }
  }
}

async function lookUpAddress(connection: Connection, url: string, asks: boolean): ReturnType<JudgeAddress> {
  const { appUrl: baseUrl, timeoutMs } = connection;
  if (baseUrl === undefined)
    throw new UsageError("audit requires the registry's web service.", "Pass --registry <url>.");
  let found: Lookup | undefined;
  try {
    found = await findServices({ baseUrl, timeoutMs, subject: url });
    const service = await confirmService(connection, parseSubject(url), found);
    const { did, version } = service;
    const match = found.exact.find((one) => one.service.did === did && one.service.major === version?.major);
    const lastCheck = match?.service.live;
    return {
      did,
      ...compare(
        asks
          ? await probeRegistered(connection, service)
          : lastCheck && { ...lastCheck, probedAt: lastCheck.probedAt * 1_000 },
      ),
    };
  } catch (error) {
    if (error instanceof LookupError) return { verdict: explain(error, found), detail: error.shortMessage };
    if (error instanceof AppRegistryError && error.retryable)
      return { verdict: "unknown", detail: error.shortMessage };
    throw error;
  }
}

function explain({ code }: LookupError, found: Lookup | undefined): Verdict {
  // Only a service whose DID proves the address lacks nothing but control.
  const isOnlyUncontrolled =
    found?.claimed.some(({ reason }) => reason === claimReasons.uncontrolled) ?? false;
  if (code === "claimed-only") return isOnlyUncontrolled ? "uncontrolled" : "claimed";
  return code === "ambiguous" ? "claimed" : "unregistered";
}

/** Judges a live check. Its time is in milliseconds. */
function compare(
  check: Pick<ServiceProbe, "outcome" | "drift" | "probedAt"> | undefined,
): Pick<Judged, "verdict" | "detail"> {
  if (check === undefined) return { verdict: "registered" };
  const { drift, outcome, probedAt } = check;
  const detail = `${outcome} on ${new Date(probedAt).toISOString().slice(0, 10)}`;
  if (toLiveOutcome({ outcome, drift }) === "fail") return { verdict: "differs", detail };
  return { verdict: drift === "same" ? "same" : "registered", detail };
}

function auditOutcome(files: readonly string[], servers: readonly Audited[], allow: Verdict): Outcome {
  const isWorse = ({ verdict }: Audited) => order.indexOf(verdict) > order.indexOf(allow);
  const worse = servers.filter(isWorse);
  const rows = servers.map(({ name, target, verdict, did, detail }) => [
    paint(toStyle(verdict), verdicts[verdict]),
    name,
    target,
    [did, detail].filter(Boolean).join(", "),
  ]);
  const lines: Line[] =
    servers.length === 0
      ? [`No MCP server in ${files.length === 1 ? "1 file" : `${files.length} files`}.`]
      : columns(rows);
  const isUnknown = worse.length > 0 && worse.every(({ verdict }) => verdict === "unknown");
  const exitCode = worse.length === 0 ? ExitCode.ok : isUnknown ? ExitCode.unknown : ExitCode.failed;
  return { json: { files, servers }, lines, exitCode };
}

const toStyle = (verdict: Verdict) =>
  (styles as Partial<Record<Verdict, "green" | "dim" | "yellow">>)[verdict] ?? "red";
