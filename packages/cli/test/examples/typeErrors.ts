import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const compiler = fileURLToPath(
  new URL("../../../../node_modules/typescript-native/bin/tsc", import.meta.url),
);
const compilerOptions = { noUnusedLocals: false, noUnusedParameters: false, verbatimModuleSyntax: false };

/** Returns the type errors of the modules in a folder with file and line, or an empty string. */
export async function typeErrors(folder: string): Promise<string> {
  const project = join(folder, "tsconfig.json");
  const base = fileURLToPath(new URL("../../tsconfig.json", import.meta.url));
  const config = { extends: base, compilerOptions, include: ["*.ts"], exclude: [] };
  await writeFile(project, JSON.stringify(config));
  const parameters = [compiler, "-p", project, "--noEmit", "--checkers", "1"];
  const { stdout } = await promisify(execFile)(process.execPath, parameters).catch((failure) => failure);
  return stdout;
}
