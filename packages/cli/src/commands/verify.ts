import { ExitCode, findService } from "@app-registry/mcp";
import { getSite } from "@app-registry/outbound/site";
import type { Fact, ProbedService, VerificationReport } from "@app-registry/sdk";
import { formatProvenLine, liveFact, parseSubject, verifyApp } from "@app-registry/sdk";
import { formatFactMarks, getReportOutcomes, summarizeReport } from "@app-registry/sdk/internal";
import { SERVICE_ARGUMENT } from "../inputs.ts";
import type { Program } from "../program.ts";
import { columns, type Outcome, paint } from "../terminal.ts";
import { createProbe } from "./probe.ts";

const examples = `
Exit code: 0 if every fact passes, 1 if any fails, 3 if any is unknown and none fails.
Use --deployment and --rpc-url of your own: with --registry alone, the registry names both.

Examples:
  $ app-registry verify https://example.com/mcp
  $ app-registry verify did:web:example.com
  $ app-registry verify did:web:example.com --live
  $ app-registry verify did:web:example.com@1.0.0 --json
  $ app-registry verify did:web:example.com --deployment deployment.json --rpc-url https://rpc.example.com`;

/** Adds `verify`, which checks five facts about a service, and a sixth with `--live`. Each is pass, fail or unknown. */
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
