import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { appendFile, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Unpacks the command and names its program. This step has no key: nothing runs before its hash is checked. */
const { PACKAGE, INTEGRITY, RUNNER_TEMP, GITHUB_OUTPUT } = process.env;

const response = await fetch(PACKAGE);
if (!response.ok) throw new Error(`${PACKAGE} answered ${response.status}.`);
const tarball = new Uint8Array(await response.arrayBuffer());
const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
if (integrity !== INTEGRITY)
  throw new Error(
    `${PACKAGE} has the integrity ${integrity}, not ${INTEGRITY}. Review it, then name its integrity.`,
  );
const folder = await mkdtemp(join(RUNNER_TEMP ?? tmpdir(), "app-registry-"));
await writeFile(join(folder, "package.tgz"), tarball);
execFileSync("tar", ["-xzf", "package.tgz"], { cwd: folder });
await appendFile(GITHUB_OUTPUT, `program=${join(folder, "package/bin/app-registry.js")}\n`);
