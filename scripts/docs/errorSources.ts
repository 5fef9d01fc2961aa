import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { rootDirectory } from "../stack/processes.ts";

const readSources = (pattern: string) => {
  const paths = globSync(pattern, { cwd: rootDirectory, exclude: (name) => name === "node_modules" });
  const sources = paths.filter((path) => !/\.test\.tsx?$/.test(path)).sort();
  return Promise.all(sources.map((path) => readFile(join(rootDirectory, path), "utf8")));
};

/** Forms in which the web app writes a problem: status, code and title, or code, status and title. */
const problemForms = [
  /\b(?<status>[45]\d\d),\s*"(?<code>[a-z-]+)",\s*["`][^"`]/g,
  /"(?<code>[a-z-]+)": \[(?<status>[45]\d\d), "/g,
];

/** Returns the statuses of the HTTP routes' problems, each with its codes. */
export async function readHttpProblems(): Promise<string[][]> {
  const sources = await readSources("apps/web/{app,lib}/**/*.ts");
  const codes = new Map<string, Set<string>>();
  for (const source of sources) {
    for (const form of problemForms) {
      for (const { groups } of source.matchAll(form)) {
        const { status, code } = groups as Record<"status" | "code", string>;
        codes.set(status, (codes.get(status) ?? new Set()).add(`\`${code}\``));
      }
    }
  }
  return [...codes.keys()].sort().map((status) => [status, [...(codes.get(status) ?? [])].sort().join(", ")]);
}
