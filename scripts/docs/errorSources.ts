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
  /\b(?<status>[45]\d\d),\s*"(?<code>[a-z-]+)",\s*["`](?<title>[^"`]+)/g,
  /"(?<code>[a-z-]+)": \[(?<status>[45]\d\d), "(?<title>[^"]+)"\]/g,
];

/** Returns the problems of the HTTP routes: status, code and titles. */
export async function readHttpProblems(): Promise<string[][]> {
  const sources = await readSources("apps/web/{app,lib}/**/*.ts");
  const titles = new Map<string, Set<string>>();
  for (const source of sources) {
    for (const form of problemForms) {
      for (const { groups } of source.matchAll(form)) {
        const { status, code, title } = groups as Record<"status" | "code" | "title", string>;
        const key = `${status} \`${code}\``;
        titles.set(key, (titles.get(key) ?? new Set()).add(title.replace(/\$\{\w+\}/g, "…")));
      }
    }
  }
  return [...titles]
    .map(([key, found]) => [...key.split(" "), [...found].join(". ")])
    .sort(([a = "", b = ""], [c = "", d = ""]) => `${a}${b}`.localeCompare(`${c}${d}`));
}
