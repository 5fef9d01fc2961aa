import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { GasFigures, GasRowName } from "./gasRows.ts";
import { measureReads } from "./measureReads.ts";
import { measureWrites } from "./measureWrites.ts";

/** The committed figures; `pnpm bench:gas --update` writes them. */
export const gasSnapshotFile = fileURLToPath(new URL("../../bench/gas.snapshot.json", import.meta.url));

/** A row may grow by this much over the snapshot. */
const TOLERANCE = 0.01;

/** Measures every row on chains of their own, with the contracts as they are built. */
export async function measureGas(): Promise<GasFigures> {
  return { ...(await measureWrites()), ...(await measureReads()) };
}

export async function readGasSnapshot(): Promise<Partial<GasFigures>> {
  return JSON.parse(await readFile(gasSnapshotFile, "utf8")) as Partial<GasFigures>;
}

export async function writeGasSnapshot(figures: GasFigures): Promise<void> {
  await writeFile(gasSnapshotFile, `${JSON.stringify(figures, null, 2)}\n`);
}

/** A row that costs more than the snapshot allows; `before` is undefined for a row that the snapshot lacks. */
export interface GrownRow {
  row: GasRowName;
  before: number | undefined;
  after: number;
}

/** The rows that cost over 1 % more than in the snapshot, and those that it does not have. */
export function findGrownRows(figures: GasFigures, snapshot: Partial<GasFigures>): GrownRow[] {
  return (Object.entries(figures) as [GasRowName, number][])
    .map(([row, after]) => ({ row, before: snapshot[row], after }))
    .filter(({ before, after }) => before === undefined || after > before * (1 + TOLERANCE));
}
