import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { isMainThread } from "node:worker_threads";
import { KEPT_MEMORY } from "./memory.ts";

/** Milliseconds between two collections. */
const INTERVAL = 30_000;

/**
 * Loaded into every process of a soak: collects garbage at intervals, and notes the bytes that its main thread keeps. What a
 * process holds besides says nothing of a leak: while a machine has free memory, Node leaves garbage where it is, and
 * keeps what it needed at its busiest.
 */
setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
const directory = process.env[KEPT_MEMORY];
if (directory !== undefined) mkdirSync(directory, { recursive: true });
setInterval(() => {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  if (directory !== undefined && isMainThread)
    writeFileSync(join(directory, String(process.pid)), String(heapUsed + external));
}, INTERVAL).unref();
