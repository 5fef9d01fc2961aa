import type { Mutant } from "./generate.ts";
import type { Result, Results } from "./results.ts";
import { TimedOut, WorkerProcess } from "./workerProcess.ts";

/** A process is replaced after this many mutants: test runs leave chains behind in its memory. */
const MUTANTS_PER_PROCESS = 25;

interface TryParameters {
  /** In the order of the sample. */
  mutants: Mutant[];
  /** How many compilable ones are wanted. */
  wanted: number;
  results: Results;
  workers: number;
  orderTests(mutant: Mutant): string[];
  secondsOf(file: string): number;
  onResult(mutant: Mutant, result: Result, tried: number): void;
}

/** Tries mutants in their order until enough of them have compiled; those of an earlier run are not tried again. */
export async function tryMutants(parameters: TryParameters): Promise<Result[]> {
  const { mutants, wanted, results, workers, onResult } = parameters;
  const found: Result[] = [];
  let position = 0;
  // A mutant that is being tried counts as one that compiles until the opposite is known.
  let promised = 0;

  async function work(name: string) {
    const laboratory = new Laboratory(name, parameters);
    while (promised < wanted) {
      const mutant = mutants[position];
      if (!mutant) break;
      position += 1;
      promised += 1;
      const known = await results.find(mutant);
      const result = known ?? (await laboratory.tryMutant(mutant));
      if (!known) await results.add(mutant, result);
      if (result.status === "uncompilable") promised -= 1;
      found.push(result);
      onResult(mutant, result, found.length);
    }
    await laboratory.close();
  }
  await Promise.all(Array.from({ length: workers }, (_, index) => work(`worker-${index + 1}`)));
  return found;
}

/** A worker process that is started when it is needed, and replaced when it hangs or has grown. */
class Laboratory {
  readonly #name: string;
  readonly #parameters: TryParameters;
  #process: WorkerProcess | undefined;
  #tried = 0;

  constructor(name: string, parameters: TryParameters) {
    this.#name = name;
    this.#parameters = parameters;
  }

  /** A process that ends by itself is no result: the mutant is tried again in another one, once. */
  async tryMutant(mutant: Mutant): Promise<Result> {
    return await this.#try(mutant).catch(async (error: Error) => {
      console.log(error.message);
      await this.close();
      return await this.#try(mutant);
    });
  }

  async #try(mutant: Mutant): Promise<Result> {
    const { orderTests, secondsOf } = this.#parameters;
    if (this.#tried >= MUTANTS_PER_PROCESS) await this.close();
    this.#process ??= await WorkerProcess.start(this.#name, secondsOf);
    this.#tried += 1;
    const startedAt = performance.now();
    const seconds = () => Math.round((performance.now() - startedAt) / 100) / 10;
    try {
      const task = { kind: "mutant" as const, mutant, files: orderTests(mutant) };
      const { outcome } = await this.#process.perform(task, "outcome");
      const { status, by } = outcome;
      return { id: mutant.id, status, seconds: seconds(), ...(by ? { by } : {}) };
    } catch (error) {
      if (!(error instanceof TimedOut)) throw error;
      this.#process = undefined;
      const by = error.file === undefined ? {} : { by: { file: error.file, test: "does not end" } };
      return { id: mutant.id, status: "timed out", seconds: seconds(), ...by };
    }
  }

  async close(): Promise<void> {
    await this.#process?.stop();
    this.#process = undefined;
    this.#tried = 0;
  }
}
