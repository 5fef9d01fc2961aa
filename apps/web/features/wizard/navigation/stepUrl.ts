import type { Draft, StepId } from "../draft/draft.ts";
import { getSteps, screens } from "../draft/screens.ts";

/**
 * Returns the screen in a page's fragment (`#about`), or `undefined` if the service has no such screen. A query
 * parameter would make the browser fetch the page again on Back.
 */
export function parseStepHash(hash: string, { interfaces }: Pick<Draft, "interfaces">): StepId | undefined {
  const named = hash.slice(1);
  if (!Object.hasOwn(screens, named)) return undefined;
  const step = named as StepId;
  return step === "json" || getSteps(interfaces).includes(step) ? step : undefined;
}

/** Returns the screens before and after the draft's current one. The JSON screen comes before the last one. */
export function getAdjacentSteps({ interfaces, step }: Pick<Draft, "interfaces" | "step">): {
  previous: StepId | undefined;
  next: StepId | undefined;
} {
  const steps = getSteps(interfaces);
  if (step === "json") return { previous: steps.at(-2), next: steps.at(-1) };
  const place = steps.indexOf(step);
  return { previous: steps[place - 1], next: steps[place + 1] };
}
