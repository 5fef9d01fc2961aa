import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Milliseconds between two collections. */
const INTERVAL = 30_000;

/**
 * Loaded into every process of a soak: what it grows by is then what it keeps. While a machine has free memory, Node
 * leaves garbage where it is.
 */
setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
setInterval(collect, INTERVAL).unref();
