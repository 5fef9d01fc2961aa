import { type Connection, ExitCode, findService, readRegisteredService } from "@app-registry/mcp";
import { probeService } from "@app-registry/outbound";
import { printable } from "@app-registry/outbound/internal";
import { getSite } from "@app-registry/outbound/site";
import {
  type Fact,
  formatProvenLine,
  formatVersion,
  type LiveOutcome,
  liveFact,
  type ProbedService,
  parseSubject,
  type ServiceProbe,
  type VerificationReport,
  verifyApp,
} from "@app-registry/sdk";
import { formatFactMarks, getReportOutcomes, summarizeReport } from "@app-registry/sdk/internal";
import type { Address } from "viem";
import { getCode } from "viem/actions";
import { SERVICE_ARGUMENT } from "../inputs.ts";
import type { Program } from "../program.ts";
import { columns, type Line, type Outcome, paint } from "../terminal.ts";

const probeExamples = `
Sends read-only requests to each registered endpoint and compares what MCP servers and A2A agents list with the registered version. Exit code: 0 if everything matches, 1 if something doesn't, 3 if unknown.

Examples:
  $ app-registry probe did:web:example.com
  $ app-registry probe did:web:example.com@1.0.0 --json`;

export function addProbe({ root, action }: Program): void {
  root
    .command("probe")
    .description("check that a service responds and matches the registered version")
    .argument("<service>", SERVICE_ARGUMENT, parseSubject)
    .addHelpText("after", probeExamples)
    .action(
      action(async ({ connect }, subject, _) => {
        const connection = await connect();
        return probeOutcome(await probeRegistered(connection, await findService(connection, subject)));
      }),
    );
}

/** Checks the endpoints of a service's registered version, or of its latest one. */
export async function probeRegistered(
  connection: Connection,
  service: Awaited<ReturnType<typeof findService>>,
): Promise<ServiceProbe & { did: string; version: string }> {
  const { did } = service;
  const { target, metadata } = await readRegisteredService(connection, service);
  const probe = await createProbe(connection)({ did, metadata, interfaces: target.interfaces });
  return { did, version: formatVersion(target.version), ...probe };
}

/** Creates a live check with the connection's time limit. Contracts are checked only on its chain. */
const createProbe =
  ({ publicClient, deployment, guardedFetch }: Connection) =>
  (service: ProbedService) =>
    probeService(service, {
      guardedFetch,
      hasCode: async ({ chainId, address }) =>
        chainId === deployment.chainId
          ? Boolean(await getCode(publicClient, { address: address as Address }))
          : undefined,
    });

const outcomeMarks: Record<LiveOutcome, "green" | "yellow" | "red"> = {
  answers: "green",
  gated: "green",
  unknown: "yellow",
  failing: "red",
  "other-protocol": "red",
  unreachable: "red",
};

/** Maximum length of a line of untrusted text, in characters. */
const MAX_LINE = 400;

function probeOutcome(probe: Awaited<ReturnType<typeof probeRegistered>>): Outcome {
  const { did, version, outcome, drift, endpoints } = probe;
  const width = Math.max(0, ...endpoints.map((one) => one.outcome.length));
  const lines = endpoints.flatMap(({ outcome: found, name, reason, latencyMs, comparison }): Line[] => [
    [
      paint(outcomeMarks[found], found.padEnd(width)),
      `  ${printable(name)}: ${printable(reason, MAX_LINE)} (${latencyMs} ms)`,
    ],
    ...(comparison?.changes ?? []).flatMap(({ kind, name: changed, change, breaks, diff }) => [
      `  ${change} ${kind} ${printable(changed)}${breaks === undefined ? "" : `: ${breaks}`}`,
      ...diff.map((line) => `    ${printable(line, MAX_LINE)}`),
    ]),
  ]);
  const compared = {
    same: "Matches the registered version.",
    changed: paint("red", "Differs from the registered version."),
    "not-comparable":
      "Nothing to compare: the record lists no tools or skills, or the service was not checked.",
  };
  const isWrong = outcomeMarks[outcome] === "red" || drift === "changed";
  return {
    json: { ...probe },
    lines: [`${did} ${version}`, ...lines, compared[drift]],
    exitCode: isWrong ? ExitCode.failed : outcome === "unknown" ? ExitCode.unknown : ExitCode.ok,
  };
}

const examples = `
Exit code: 0 if every fact passes, 1 if any fails, 3 if any is unknown and none fails.
Use --deployment and --rpc-url of your own: with --registry alone, the registry names both.

Examples:
  $ app-registry verify https://example.com/mcp
  $ app-registry verify did:web:example.com
  $ app-registry verify did:web:example.com --live
  $ app-registry verify did:web:example.com@1.0.0 --json
  $ app-registry verify did:web:example.com --deployment deployment.json --rpc-url https://rpc.example.com`;

export function addVerify({ root, action }: Program): void {
  root
    .command("verify")
    .description("verify a service's record, control, content, attestation and origin")
    .argument("<service>", SERVICE_ARGUMENT, parseSubject)
    .option("--live", "also check that the service responds and matches the registered version")
    .addHelpText("after", examples)
    .action(
      action(async ({ connect }, subject, options) => {
        const connection = await connect();
        const { did, version } = await findService(connection, subject);
        const { client, fetchDocument, timeoutMs } = connection;
        const probe = createProbe(connection);
        const readLive = options.live ? async (one: ProbedService) => liveFact(await probe(one)) : undefined;
        return verifyOutcome(
          await verifyApp({ client, did, version, fetchDocument, siteOf: getSite, timeoutMs, readLive }),
        );
      }),
    );
}

const marks = {
  pass: paint("green", "pass"),
  fail: paint("red", "FAIL"),
  unknown: paint("yellow", "unknown"),
};

const toExitCode = (outcomes: readonly Fact["outcome"][]): ExitCode =>
  outcomes.includes("fail") ? ExitCode.failed : outcomes.includes("unknown") ? ExitCode.unknown : ExitCode.ok;

function verifyOutcome(report: VerificationReport): Outcome {
  const facts = Object.entries(report.facts) as [string, Fact][];
  const exitCode = toExitCode(facts.map(([, { outcome }]) => outcome));
  const title = report.version === null ? report.did : `${report.did} ${report.version}`;
  const { before, name, after } = formatProvenLine(report.did, report.facts.control.outcome);
  const lines = columns(facts.map(([name, { outcome, reason }]) => [marks[outcome], name, reason]));
  const summary = `${formatFactMarks(getReportOutcomes(report))} ${summarizeReport(report)}`;
  const { action } = report.facts.record.evidence;
  const hint = typeof action === "string" ? ["", action] : [];
  return {
    json: report,
    lines: [[`${before} `, paint("bold", name), after], title, summary, ...lines, ...hint],
    exitCode,
  };
}
