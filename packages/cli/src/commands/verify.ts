import { siteOf } from "@app-registry/outbound/site";
import type { Fact, ProbedService, VerificationReport } from "@app-registry/sdk";
import { fetchDocument, liveFact, provenLine, verifyApp } from "@app-registry/sdk";
import { ExitCode } from "../exitCodes.ts";
import { parseTarget } from "../inputs.ts";
import type { Program } from "../program.ts";
import { type Outcome, paint } from "../terminal.ts";
import { probeBy } from "./probe.ts";

const examples = `
Ends with 0 when every fact passes, 1 when one fails, 3 when one is unknown and none fails.

Examples:
  $ app-registry verify did:web:example.com
  $ app-registry verify did:web:example.com --live
  $ app-registry verify did:web:example.com@1.0.0 --json`;

/** `verify`: five facts about a service, each pass, fail or unknown; with `--live` a sixth. */
export function addVerify({ root, action }: Program): void {
  root
    .command("verify")
    .description("check a service: its record, control of its DID, its document and who attested it")
    .argument("<did[@version]>", "DID, and the version when it isn't the latest", parseTarget)
    .option("--live", "also ask the service whether it answers, and offers what is registered")
    .addHelpText("after", examples)
    .action(
      action(async ({ connect }, { did, version }, options) => {
        const connection = await connect();
        const { client, timeoutMs } = connection;
        const probe = probeBy(connection);
        const readLive = options.live ? async (one: ProbedService) => liveFact(await probe(one)) : undefined;
        return verifyOutcome(
          await verifyApp({ client, did, version, fetchDocument, siteOf, timeoutMs, readLive }),
        );
      }),
    );
}

const marks = {
  pass: () => paint("green", "pass   "),
  fail: () => paint("red", "FAIL   "),
  unknown: () => paint("yellow", "unknown"),
};

function verifyOutcome(report: VerificationReport): Outcome {
  const facts = Object.entries(report.facts) as [string, Fact][];
  const outcomes = facts.map(([, { outcome }]) => outcome);
  const exitCode = outcomes.includes("fail")
    ? ExitCode.failed
    : outcomes.includes("unknown")
      ? ExitCode.unknown
      : ExitCode.ok;
  const title = report.version === null ? report.did : `${report.did} ${report.version}`;
  const { before, name, after } = provenLine(report.did, report.facts.control.outcome === "pass");
  const width = Math.max(...facts.map(([name]) => name.length));
  const lines = facts.map(
    ([name, { outcome, reason }]) => `${marks[outcome]()}  ${name.padEnd(width)}  ${reason}`,
  );
  const { action } = report.facts.record.evidence;
  const hint = typeof action === "string" ? ["", action] : [];
  return {
    json: report,
    lines: [`${before} ${paint("bold", name)}${after}`, title, ...lines, ...hint],
    exitCode,
  };
}
