import { createHash } from "node:crypto";
import { appendFile, mkdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { Mutant } from "./generate.ts";
import { hashSources, isTestSource, type ParsedProject, sourceOf } from "./project.ts";
import { hashTestFile } from "./testFiles.ts";

export type Status = "killed" | "timed out" | "survived" | "uncompilable";

/** What became of a mutant. */
export interface Result {
  id: string;
  status: Status;
  by?: { file: string; test: string };
  seconds: number;
}

/** A result with what it holds for: other contracts or other tests may have another one. */
interface StoredResult extends Result {
  contracts: string;
  tests: string;
}

/** The results of this and earlier runs, each appended as it comes. */
export class Results {
  readonly #file: string;
  readonly #parsed: ParsedProject;
  readonly #tests: string[];
  readonly #stored = new Map<string, StoredResult>();
  readonly #testHashes = new Map<string, string>();

  private constructor(file: string, parsed: ParsedProject, tests: string[]) {
    this.#file = file;
    this.#parsed = parsed;
    this.#tests = tests;
  }

  static async read(file: string, parsed: ParsedProject, tests: string[]): Promise<Results> {
    await mkdir(dirname(file), { recursive: true });
    const results = new Results(file, parsed, tests);
    const text = await readFile(file, "utf8").catch(() => "");
    for (const line of text.split("\n").filter(Boolean)) {
      const result = JSON.parse(line) as StoredResult;
      results.#stored.set(result.id, result);
    }
    return results;
  }

  /** The result of an earlier run, when nothing that it holds for has changed. */
  async find(mutant: Mutant): Promise<Result | undefined> {
    const stored = this.#stored.get(mutant.id);
    if (stored?.contracts !== this.#hashContracts(mutant)) return undefined;
    const { contracts: _, tests, ...result } = stored;
    return tests === (await this.#hashTests(result)) ? result : undefined;
  }

  async add(mutant: Mutant, result: Result): Promise<void> {
    const stored = {
      ...result,
      contracts: this.#hashContracts(mutant),
      tests: await this.#hashTests(result),
    };
    this.#stored.set(result.id, stored);
    await appendFile(this.#file, `${JSON.stringify(stored)}\n`);
  }

  /** Of every source that is in one contract with the mutated one. */
  #hashContracts({ source }: Mutant): string {
    const { targets, project } = this.#parsed;
    const touched = targets.filter((target) => !isTestSource(target.source) && target.closure.has(source));
    return hashSources(project, new Set(touched.flatMap(({ closure }) => [...closure])));
  }

  /** A killed mutant stays so while the test that kills it is the same; one that lives has passed them all. */
  async #hashTests({ status, by }: Result): Promise<string> {
    if (status === "uncompilable") return "";
    const files = by ? [by.file] : this.#tests;
    const key = files.join();
    const known = this.#testHashes.get(key);
    if (known !== undefined) return known;
    const { targets, project } = this.#parsed;
    const closures = targets.filter(({ source }) => files.some((file) => source === sourceOf(file)));
    const compiled = hashSources(project, new Set(closures.flatMap(({ closure }) => [...closure])));
    const texts = await Promise.all(files.map(hashTestFile));
    const hash = createHash("sha256")
      .update([...texts, compiled].join())
      .digest("hex")
      .slice(0, 16);
    this.#testHashes.set(key, hash);
    return hash;
  }
}
