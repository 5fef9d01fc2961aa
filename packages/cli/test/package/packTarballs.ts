import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";
import { pnpm } from "./pnpm.ts";

/** Package with its folder and the tarball that `pnpm publish` would upload. */
export type Packed = {
  name: string;
  /** Folder in the workspace. */
  folder: string;
  tarball: string;
  /** Folder with the content of the tarball. */
  content: string;
};

declare module "vitest" {
  interface ProvidedContext {
    /** All packages, each after its dependencies. */
    packed: Packed[];
  }
}

const packages = fileURLToPath(new URL("../../../", import.meta.url));

/** Builds and packs the packages once for all test files. */
export default async function packTarballs(project: TestProject): Promise<() => Promise<void>> {
  const root = await mkdtemp(join(tmpdir(), "app-registry-packages-"));
  const packed: Packed[] = [];
  for (const name of ["sdk", "outbound", "issuer", "mcp", "cli"]) {
    packed.push(await pack(name, join(packages, name), join(root, name)));
  }
  project.provide("packed", packed);
  return () => rm(root, { recursive: true });
}

async function pack(name: string, folder: string, target: string): Promise<Packed> {
  await mkdir(target);
  await pnpm(["pack", "--pack-destination", target], folder);
  const file = (await readdir(target)).find((one) => one.endsWith(".tgz"));
  if (!file) throw new Error(`pnpm pack wrote no tarball of ${name}.`);
  const tarball = join(target, file);
  await promisify(execFile)("tar", ["-xzf", tarball, "-C", target]);
  return { name: `@app-registry/${name}`, folder, tarball, content: join(target, "package") };
}
