import { ExitCode, parseTarget, UsageError } from "@app-registry/mcp";
import { getSite } from "@app-registry/outbound/site";
import type { EvidenceCheck, Fact, ProbedService, VerificationReport } from "@app-registry/sdk";
import { checkEvidence, formatProvenLine, liveFact, verifyApp } from "@app-registry/sdk";
import { readText } from "../inputs.ts";
import type { Program } from "../program.ts";
import { columns, type Outcome, paint } from "../terminal.ts";
import { createProbe } from "./probe.ts";

const examples = `
Exit code: 0 if every fact passes, 1 if any fails, 3 if any is unknown and none fails.
Evidence is the response of GET /api/evidence/<did>/v/<version>. Every line is compared with your chain, and 1 means that a line is refused. Use --deployment and --rpc-url of your own: with --registry alone, the registry names both.

Examples:
  $ app-registry verify did:web:example.com
  $ app-registry verify did:web:example.com --live
  $ app-registry verify did:web:example.com@1.0.0 --json
  $ app-registry verify --evidence evidence.json --deployment deployment.json --rpc-url https://rpc.example.com`;

/** Adds `verify`, which checks five facts about a service, and a sixth with `--live`. Each is pass, fail or unknown. */
export function addVerify({ root, action }: Program): void {
  root
    .command("verify")
    .description("verify a service's record, control, content, attestation and origin")
    .argument("[did[@version]]", "DID, optionally with a version (default: the latest)", parseTarget)
    .option("--live", "also check that the service responds and matches the registered version")
    .option("--evidence <file>", "compare evidence with your chain: a file, - for standard input, or a URL")
    .option("--at-head", "with --evidence: compare with the latest block (for RPCs without older state)")
    .addHelpText("after", examples)
    .action(
      action(async ({ connect, timeoutMs }, service, options) => {
        if ((service === undefined) === (options.evidence === undefined)) {
          throw new UsageError("Pass either a DID or --evidence <file>.");
        }
        if (service === undefined) {
          const evidence = await readText(options.evidence ?? "", timeoutMs);
          const { client } = await connect();
          const { atHead } = options;
          return evidenceOutcome(
            await checkEvidence({ client, evidence, siteOf: getSite, atHead, timeoutMs }),
          );
        }
        const { did, version } = service;
        const connection = await connect();
        const { client, fetchDocument } = connection;
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

function evidenceOutcome(check: EvidenceCheck): Outcome {
  const { outcome, reason, problems, evidence } = check;
  if (outcome !== "pass" || !evidence) {
    const lines = columns(problems.map(({ pointer, message }) => [pointer || "(evidence)", message]));
    return {
      json: check,
      lines: [...lines, [marks[outcome], ` ${reason}`]],
      exitCode: toExitCode([outcome]),
    };
  }
  const { did, version, facts } = evidence;
  const others = facts.filter(({ restsOn }) => restsOn !== facts[0]?.restsOn);
  return {
    json: check,
    lines: [
      `${did} ${version}`,
      ...columns(facts.map(({ outcome, fact, reason }) => [marks[outcome], fact, reason])),
      ...["", "What these facts rest on:"],
      ...columns(others.map(({ fact, restsOn }) => [fact, restsOn])),
      ...["", reason],
    ],
    // No evidence can show that a service responds.
    exitCode: toExitCode(facts.flatMap(({ fact, outcome }) => (fact === "live" ? [] : [outcome]))),
  };
}

function verifyOutcome(report: VerificationReport): Outcome {
  const facts = Object.entries(report.facts) as [string, Fact][];
  const exitCode = toExitCode(facts.map(([, { outcome }]) => outcome));
  const title = report.version === null ? report.did : `${report.did} ${report.version}`;
  const { before, name, after } = formatProvenLine(report.did, report.facts.control.outcome === "pass");
  const lines = columns(facts.map(([name, { outcome, reason }]) => [marks[outcome], name, reason]));
  const { action } = report.facts.record.evidence;
  const hint = typeof action === "string" ? ["", action] : [];
  return {
    json: report,
    lines: [[`${before} `, paint("bold", name), after], title, ...lines, ...hint],
    exitCode,
  };
}
