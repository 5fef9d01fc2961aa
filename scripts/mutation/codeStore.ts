import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { rootDirectory } from "../stack/processes.ts";
import type { Bytecode, Target } from "./compiler.ts";
import { pathOf } from "./project.ts";

/** An id in the form of Hardhat's; what stands behind it is empty, since only stack traces read it. */
const BUILD_INFO_ID = `solc-0_8_30-${"0".repeat(40)}`;

export interface TargetCode extends Target {
  code: Bytecode;
}

/** The artifacts that the tests of one process deploy: as the build made them, but for their code. */
export class CodeStore {
  readonly #directory: string;
  readonly #stored = new Map<string, string>();

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Makes the directory anew. */
  async create(targets: TargetCode[]): Promise<void> {
    await rm(this.#directory, { recursive: true, force: true });
    await writeJson(join(this.#directory, "build-info", `${BUILD_INFO_ID}.json`), {
      _format: "hh3-sol-build-info-1",
      id: BUILD_INFO_ID,
      solcVersion: "0.8.30",
      solcLongVersion: "0.8.30",
      input: { language: "Solidity", sources: {}, settings: { optimizer: {}, outputSelection: {} } },
    });
    await writeJson(join(this.#directory, "build-info", `${BUILD_INFO_ID}.output.json`), {
      _format: "hh3-sol-build-info-output-1",
      id: BUILD_INFO_ID,
      output: { sources: {}, contracts: {} },
    });
    await this.store(targets);
  }

  /** Gives contracts their code, where it is another than before. */
  async store(targets: TargetCode[]): Promise<void> {
    for (const { source, name, code } of targets) {
      const path = join(pathOf(source), `${name}.json`);
      if (this.#stored.get(path) === code.bytecode) continue;
      const built = await readFile(join(rootDirectory, "artifacts", path), "utf8");
      const artifact = { ...JSON.parse(built), ...code, buildInfoId: BUILD_INFO_ID };
      await writeJson(join(this.#directory, path), artifact);
      this.#stored.set(path, code.bytecode);
    }
  }
}

async function writeJson(file: string, value: unknown): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify(value));
}
