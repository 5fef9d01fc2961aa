import type { Burst } from "./actions.ts";
import type { Mismatch } from "./chain.ts";
import type { History } from "./history.ts";

type Run = (history: History) => Promise<Mismatch | undefined>;

/** Removes the actions that a mismatch does not need, and returns a report of the others. */
export async function shorten(history: History, run: Run, seed: number, first: Mismatch): Promise<string> {
  let mismatch = first;
  let bursts = history.bursts.slice(0, first.burst + 1);
  const attempt = async (shorter: Burst[]) => {
    const found = await run({ ...history, bursts: shorter });
    if (!found) return;
    mismatch = found;
    bursts = shorter.slice(0, found.burst + 1);
  };
  for (let size = bursts.length >> 1; size >= 1; size >>= 1) {
    for (let end = bursts.length - 1; end > 0; end -= size) {
      if (end >= bursts.length) continue;
      const begin = Math.max(0, end - size);
      await attempt([...bursts.slice(0, begin), ...bursts.slice(end)]);
    }
  }
  for (let index = bursts.length - 1; index >= 0; index--) {
    for (let action = (bursts[index]?.actions.length ?? 0) - 1; action >= 0; action--) {
      const without = (burst: Burst) => ({
        ...burst,
        actions: burst.actions.filter((_, place) => place !== action),
      });
      await attempt(bursts.map((burst, place) => (place === index ? without(burst) : burst)));
    }
  }
  const steps = bursts.flatMap(({ at, actions }) =>
    actions.map((action) => `  ${at} ${JSON.stringify(action)}`),
  );
  return [
    `Seed ${seed}, burst ${first.burst}; shortened, at ${mismatch.at}:`,
    ...mismatch.differences.map((line) => `  ${line}`),
    "after",
    ...steps,
  ].join("\n");
}
