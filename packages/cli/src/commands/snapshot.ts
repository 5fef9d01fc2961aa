import { open } from "node:fs/promises";
import {
  AppRegistryError,
  fetchSnapshotFile,
  fetchSnapshotManifest,
  fetchSnapshots,
  parseSnapshotManifest,
  type SnapshotReport,
  type VerifySnapshotParameters,
  verifySnapshot,
} from "@app-registry/sdk";
import { snapshotDaySchema } from "@app-registry/sdk/internal";
import { ExitCode, UsageError } from "../exitCodes.ts";
import { parseAddress, readText } from "../inputs.ts";
import type { Program, Session } from "../program.ts";
import { type Outcome, paint, table, time } from "../terminal.ts";

const examples = `
A registry signs one file of live check results per day. The signature shows who published the results, not that they are true. Use --signer with the address that you got from the operator through another channel. Exit code: 0 if the file is complete and signed, 1 if not, 3 if the registry can't be reached.

Examples:
  $ app-registry snapshot verify --registry https://registry.example.com
  $ app-registry snapshot verify --day 2026-11-24 --signer 0x70997970C51812dc3A010C7d01b50e0d17dc79C8
  $ app-registry snapshot verify 2026-11-24.ndjson --manifest 2026-11-24.json`;

/** `snapshot verify`: whether a registry's snapshot of a day is whole and signed. */
export function addSnapshot({ root, action }: Program): void {
  root
    .command("snapshot")
    .description("verify a registry's signed daily snapshots of live checks")
    .command("verify")
    .description("verify a snapshot's hash, lines and signer")
    .argument("[file]", "the snapshot that you downloaded (default: the registry's)")
    .option("--manifest <file|url>", "manifest of the snapshot file")
    .option("--signer <address>", "expected signer", parseAddress("--signer"))
    .option("--day <date>", "UTC day, for example 2026-11-24 (default: latest)", parseDay)
    .addHelpText("after", examples)
    .action(
      action(async (session, file, { manifest, signer, day }) => {
        if ((file === undefined) !== (manifest === undefined)) {
          throw new UsageError(
            "To verify a file, you also need its manifest.",
            "Pass both, or neither to verify the registry's own copy.",
          );
        }
        const found =
          file === undefined || manifest === undefined
            ? await readRemote(session, day)
            : await readLocal(file, await readText(manifest, session.timeoutMs));
        return snapshotOutcome(await verifySnapshot({ ...found, signer, day }), signer !== undefined);
      }),
    );
}

function parseDay(text: string): string {
  if (snapshotDaySchema.safeParse(text).success) return text;
  throw new UsageError(`"${text}" is not a date.`, "Use a UTC date such as 2026-11-24.");
}

type Found = Pick<VerifySnapshotParameters, "manifest" | "ndjson" | "registry">;

/** @throws {UsageError} when no web service is named; what the reads of it throw. */
async function readRemote({ connect, timeoutMs }: Session, day: string | undefined): Promise<Found> {
  const { appUrl: baseUrl, deployment } = await connect();
  if (baseUrl === undefined)
    throw new UsageError("No registry web service is configured.", "Pass --registry.");
  const manifest =
    day === undefined
      ? (await fetchSnapshots({ baseUrl, timeoutMs })).snapshots[0]
      : await fetchSnapshotManifest({ baseUrl, timeoutMs, day });
  if (!manifest) throw new AppRegistryError("This registry has no snapshots yet.");
  const { chainId, contracts } = deployment;
  return {
    manifest,
    ndjson: fetchSnapshotFile({ baseUrl, timeoutMs, day: manifest.day }),
    registry: { chainId, address: contracts.AppRegistry.address },
  };
}

async function readLocal(file: string, json: string): Promise<Found> {
  const manifest = parseSnapshotManifest(json);
  const handle = await open(file).catch(() => {
    throw new UsageError(`Couldn't read ${file}.`, "Check the path.");
  });
  return { manifest, ndjson: handle.createReadStream() };
}

function snapshotOutcome({ ok, manifest, problems }: SnapshotReport, isPinned: boolean): Outcome {
  const { day, takenAt, services, signer, registry, chainId } = manifest;
  const lines = table([
    ["day", day],
    ["taken", time(takenAt)],
    ["registry", `${registry} on chain ${chainId}`],
    ["services", services],
    ["signer", signer],
  ]);
  const hint = isPinned
    ? []
    : ["Anyone can sign a snapshot. Compare the signer with the address you know, or pass --signer."];
  const found = ok
    ? [paint("green", "The file is complete and the signature is valid."), ...hint]
    : problems.map(({ message }) => `${paint("red", "FAIL")}  ${message}`);
  return {
    json: { manifest, problems },
    lines: [...lines, "", ...found],
    exitCode: ok ? ExitCode.ok : ExitCode.failed,
  };
}
