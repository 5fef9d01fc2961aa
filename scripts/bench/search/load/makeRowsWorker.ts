import { parentPort, workerData } from "node:worker_threads";
import type { Columns } from "./copyText.ts";
import { makeRows } from "./makeRows.ts";

/** Answers each message [first, last] with the rows of those records. */
parentPort?.on("message", async ([first, last]: [number, number]) => {
  parentPort?.postMessage(await makeRows(first, last, workerData as Columns));
});
