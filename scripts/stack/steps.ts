/** Formats the time since `start`, in milliseconds, as whole seconds. */
export const secondsSince = (start: number) => `${((Date.now() - start) / 1_000).toFixed(0).padStart(4)} s`;

/** Runs one part of a start. */
export type Step = <T>(name: string, work: () => Promise<T>) => Promise<T>;

/** Runs a part of a start, prints its name when it begins, and its duration when it is done. */
export const printStep: Step = async (name, work) => {
  const startedAt = Date.now();
  console.log(`…       ${name}`);
  const result = await work();
  console.log(`ok      ${name.padEnd(16)} ${secondsSince(startedAt)}`);
  return result;
};
