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
A registry signs what its prober was served, a file a day. The signature shows who says it, not that it is true: give
--signer with the address that the registry's operator told you in another way.
Ends with 0 when the file is whole and signed, 1 when it is not, 3 when the registry does not answer.

Examples:
  $ app-registry snapshot verify --registry https://registry.example.com
  $ app-registry snapshot verify --day 2026-11-24 --signer 0x70997970C51812dc3A010C7d01b50e0d17dc79C8
  $ app-registry snapshot verify 2026-11-24.ndjson --manifest 2026-11-24.json`;

/** `snapshot verify`: whether a registry's snapshot of a day is whole and signed. */
export function addSnapshot({ root, action }: Program): void {
  root
    .command("snapshot")
    .description("check a registry's signed snapshots of what its services answered")
    .command("verify")
    .description("check a day's snapshot: its hash, its lines and who signed it")
    .argument("[file]", "the snapshot that you downloaded (default: the registry's)")
    .option("--manifest <file|url>", "the manifest of the file")
    .option("--signer <address>", "who must have signed it", parseAddress("--signer"))
    .option("--day <date>", "the day, such as 2026-11-24 (default: the newest)", parseDay)
    .addHelpText("after", examples)
    .action(
      action(async (session, file, { manifest, signer, day }) => {
        if ((file === undefined) !== (manifest === undefined)) {
          throw new UsageError(
            "A file is checked by its manifest.",
            "Give both, or none for the registry's own.",
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
  throw new UsageError(`"${text}" is no day.`, "Write a UTC day such as 2026-11-24.");
}

type Found = Pick<VerifySnapshotParameters, "manifest" | "ndjson" | "registry">;

/** @throws {UsageError} when no web service is named; what the reads of it throw. */
async function readRemote({ connect, timeoutMs }: Session, day: string | undefined): Promise<Found> {
  const { appUrl: baseUrl, deployment } = await connect();
  if (baseUrl === undefined) throw new UsageError("No registry's web service is named.", "Give --registry.");
  const manifest =
    day === undefined
      ? (await fetchSnapshots({ baseUrl, timeoutMs })).snapshots[0]
      : await fetchSnapshotManifest({ baseUrl, timeoutMs, day });
  if (!manifest) throw new AppRegistryError("This registry has taken no snapshot.");
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
    throw new UsageError(`The file ${file} can't be read.`, "Check the path.");
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
    : ["Anybody can sign: compare the signer with the address that you know, or give --signer."];
  const found = ok
    ? [paint("green", "The file is whole, and signed."), ...hint]
    : problems.map(({ message }) => `${paint("red", "FAIL")}  ${message}`);
  return {
    json: { manifest, problems },
    lines: [...lines, "", ...found],
    exitCode: ok ? ExitCode.ok : ExitCode.failed,
  };
}
