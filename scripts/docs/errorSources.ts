import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { rootDirectory } from "../stack/processes.ts";

const readSources = (pattern: string) => {
  const paths = globSync(pattern, { cwd: rootDirectory, exclude: (name) => name === "node_modules" });
  const sources = paths.filter((path) => !/\.test\.tsx?$/.test(path)).sort();
  return Promise.all(sources.map((path) => readFile(join(rootDirectory, path), "utf8")));
};

const errorClasses = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\nexport class (\w+Error) extends AppRegistryError/g;

/** Returns the error classes of the SDK: name, meaning (the comment) and action, where it is a constant text. */
export async function readSdkErrors(): Promise<string[][]> {
  const sources = await readSources("packages/sdk/src/**/*.ts");
  const errors = sources.flatMap((source) =>
    [...source.matchAll(errorClasses)].map(({ 1: comment = "", 2: name = "", index }) => {
      const [, body = ""] = source.slice(index).split(/^export class /m);
      const action = /action:\s*"([^"]+)"/.exec(body)?.[1] ?? "";
      return [`\`${name}\``, toText(comment), action];
    }),
  );
  return errors.sort(([a = ""], [b = ""]) => a.localeCompare(b));
}

/** Returns a comment without its tags, links and line breaks. */
const toText = (comment: string) =>
  comment
    .replace(/^\s*\* ?/gm, "")
    .replace(/\{@link (\w+)\}/g, "`$1`")
    .replace(/\s+/g, " ")
    .replace(/ @\w+ .*$/, "")
    .trim();

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
