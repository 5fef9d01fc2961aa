/** Formats the time since `start`, in milliseconds, as whole seconds. */
export const secondsSince = (start: number) => `${((Date.now() - start) / 1_000).toFixed(0).padStart(4)} s`;

/** Runs one part of a start. */
export type Step = <T>(name: string, work: () => Promise<T>) => Promise<T>;

/** Time between two lines about a step that takes long, in milliseconds. */
const PROGRESS_MS = 20_000;

/**
 * Runs a part of a start. Prints its name when it begins, the time so far every 20 seconds, and its duration when it is
 * done.
 */
export const printStep: Step = async (name, work) => {
  const startedAt = Date.now();
  const print = (mark: string) =>
    console.log(`${mark.padEnd(7)} ${name.padEnd(16)} ${secondsSince(startedAt)}`);
  console.log(`…       ${name}`);
  const progress = setInterval(print, PROGRESS_MS, "…");
  const result = await work().finally(() => clearInterval(progress));
  print("ok");
  return result;
};
