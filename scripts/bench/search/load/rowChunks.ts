import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Columns } from "./copyText.ts";
import type { CopyTexts } from "./makeRows.ts";

/** Records of a chunk. */
export const CHUNK = 2_000;
const WORKERS = 2;

/** The rows of the first `count` records in order, in chunks that worker threads make while the one before is loaded. */
export async function* rowChunks(count: number, columns: Columns): AsyncGenerator<CopyTexts> {
  const workers = Array.from(
    { length: WORKERS },
    () => new Worker(new URL("makeRowsWorker.ts", import.meta.url), { workerData: columns }),
  );
  const ask = async (worker: Worker, first: number): Promise<CopyTexts> => {
    worker.postMessage([first, Math.min(count, first + CHUNK)]);
    // A worker that fails rejects this by its error event.
    const [texts] = (await once(worker, "message")) as [CopyTexts];
    return texts;
  };
  try {
    const pending: Promise<CopyTexts>[] = [];
    let next = 0;
    const askNext = (worker: Worker) => {
      if (next >= count) return;
      const answer = ask(worker, next);
      answer.catch(() => undefined);
      pending.push(answer);
      next += CHUNK;
    };
    for (const worker of workers) askNext(worker);
    for (let turn = 0; pending.length > 0; turn++) {
      const texts = await (pending.shift() as Promise<CopyTexts>);
      // The workers take turns, so the one that has just answered is the next in line.
      askNext(workers[turn % WORKERS] as Worker);
      yield texts;
    }
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}
