import { execFile } from "node:child_process";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** Environment variable with the folder of the bundled programs, for every process of a test run. */
const VARIABLE = "TEST_PROGRAMS";

const packages = join(import.meta.dirname, "../..");
const bundle = join(packages, "mcp/bundle.js");

/**
 * Bundles the programs of the packages as they are published, unless the run already has them. A process with all
 * modules of the sources takes three times as long to start.
 *
 * @returns A function that removes the programs if this call created them.
 */
export default async function bundlePrograms(): Promise<() => Promise<void>> {
  if (process.env[VARIABLE]) return async () => undefined;
  const folder = await mkdtemp(join(tmpdir(), "programs-"));
  await Promise.all(
    ["cli", "mcp"].map(async (name) => {
      const [from, to] = [join(packages, name), join(folder, name)];
      await promisify(execFile)(process.execPath, [bundle, join(to, "dist")], { cwd: from });
      for (const part of ["bin", "package.json"])
        await cp(join(from, part), join(to, part), { recursive: true });
    }),
  );
  process.env[VARIABLE] = folder;
  return async () => {
    delete process.env[VARIABLE];
    await rm(folder, { recursive: true });
  };
}

const folder = process.env[VARIABLE] ?? "";

/** Paths of the bundled programs. */
export const programs = {
  /** The package that clients start. */
  guard: join(folder, "mcp/bin/app-registry-mcp.js"),
  /** The command, with the guard as one of its commands. */
  cli: join(folder, "cli/bin/app-registry.js"),
};
