import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";
import { pnpm } from "./pnpm.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** What `pnpm publish` would send to the registry. */
    tarball: string;
    /** The tarball's content. */
    packageFolder: string;
  }
}

const sdk = fileURLToPath(new URL("../../", import.meta.url));

/** Builds and packs the package, once for all test files. */
export default async function packTarball(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "app-registry-sdk-"));
  await pnpm(["pack", "--pack-destination", folder], sdk);
  const name = (await readdir(folder)).find((file) => file.endsWith(".tgz"));
  if (!name) throw new Error("pnpm pack wrote no tarball.");
  const tarball = join(folder, name);
  await promisify(execFile)("tar", ["-xzf", tarball, "-C", folder]);
  project.provide("tarball", tarball);
  project.provide("packageFolder", join(folder, "package"));
  return () => rm(folder, { recursive: true });
}
