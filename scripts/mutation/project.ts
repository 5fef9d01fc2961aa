import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { rootDirectory } from "../stack/processes.ts";
import { type AstNode, childrenIn } from "./ast.ts";
import type { Project, Target } from "./compiler.ts";
import { isLeftOut } from "./leftOut.ts";

/** Sources as the build knows them: the project's own have this before their path. */
const OWN = "project/";

/** Sources that are not mutated: declarations, and contracts that only tests use. */
const EXCLUDED = /^project\/contracts\/(interfaces|mocks|examples)\//;

/** A contract that tests deploy or run, and every source that it is made of. */
interface ProjectTarget extends Target {
  closure: ReadonlySet<string>;
}

/** The project with what its syntax trees say of it. */
export interface ParsedProject {
  project: Project;
  trees: Record<string, AstNode>;
  /** Contracts with code, those of the Solidity tests included. */
  targets: ProjectTarget[];
  /** Sources that get faults. */
  mutable: string[];
}

interface BuildInfo {
  input: { sources: Record<string, { content: string }>; settings: { remappings?: string[] } };
}

/** Reads the sources that were built: which they are from the builds' records, and the project's own as they are now. */
export async function readProject(): Promise<Project> {
  const directory = join(rootDirectory, "artifacts/build-info");
  const files = (await readdir(directory)).filter((file) => !file.endsWith(".output.json"));
  const project: Project = { sources: {}, remappings: [] };
  for (const file of files) {
    const { input } = JSON.parse(await readFile(join(directory, file), "utf8")) as BuildInfo;
    for (const [name, { content }] of Object.entries(input.sources)) {
      const text = name.startsWith(OWN) ? await readOwn(name) : content;
      if (text !== undefined) project.sources[name] = text;
    }
    project.remappings.push(...(input.settings.remappings ?? []));
  }
  project.remappings = [...new Set(project.remappings)];
  return project;
}

/** An older build may have had a file that is gone. */
function readOwn(source: string): Promise<string | undefined> {
  return readFile(join(rootDirectory, pathOf(source)), "utf8").catch(() => undefined);
}

/** Path in the repository of one of the project's own sources. */
export function pathOf(source: string): string {
  return source.slice(OWN.length);
}

export function sourceOf(path: string): string {
  return OWN + path;
}

export function isTestSource(source: string): boolean {
  return source.startsWith(`${OWN}test/`);
}

export function describeProject(project: Project, trees: Record<string, AstNode>): ParsedProject {
  const own = Object.keys(project.sources).filter((source) => source.startsWith(OWN));
  const compiled = own.filter((source) => !isLeftOut(pathOf(source)));
  const targets = compiled.flatMap((source) => {
    const closure = closureOf(source, trees);
    return contractsIn(trees[source]).map((name) => ({ source, name, closure }));
  });
  const mutable = own.filter((source) => !isTestSource(source) && !EXCLUDED.test(source)).sort();
  return { project, trees, targets, mutable };
}

/** Hash of the text of some sources. */
export function hashSources({ sources }: Project, names: Iterable<string>): string {
  const hash = createHash("sha256");
  for (const name of [...names].sort()) hash.update(`${name}\0${sources[name] ?? ""}\0`);
  return hash.digest("hex").slice(0, 16);
}

function closureOf(source: string, trees: Record<string, AstNode>): ReadonlySet<string> {
  const closure = new Set([source]);
  // A set that grows while it is walked is walked to its end.
  for (const name of closure) {
    const tree = trees[name];
    if (!tree) continue;
    for (const { nodeType, absolutePath } of childrenIn(tree, "nodes")) {
      if (nodeType === "ImportDirective") closure.add(String(absolutePath));
    }
  }
  return closure;
}

function contractsIn(tree: AstNode | undefined): string[] {
  return tree === undefined
    ? []
    : childrenIn(tree, "nodes")
        .filter(({ nodeType, contractKind, abstract }) => {
          return nodeType === "ContractDefinition" && contractKind === "contract" && !abstract;
        })
        .map(({ name }) => String(name));
}
