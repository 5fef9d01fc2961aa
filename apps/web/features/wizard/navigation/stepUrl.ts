import type { Draft, StepId } from "../draft/draft.ts";
import { getSteps, screens } from "../draft/screens.ts";

/**
 * The screen that a page's fragment names (`#about`); undefined when it names none that this service passes. A fragment,
 * because a query is the server's: going back to another one has the page fetched again.
 */
export function parseStepHash(hash: string, { interfaces }: Pick<Draft, "interfaces">): StepId | undefined {
  const named = hash.slice(1);
  if (!Object.hasOwn(screens, named)) return undefined;
  const step = named as StepId;
  return step === "json" || getSteps(interfaces).includes(step) ? step : undefined;
}

/** The screens before and after the draft's own. The JSON stands beside the others, before the last one. */
export function getAdjacentSteps({ interfaces, step }: Pick<Draft, "interfaces" | "step">): {
  previous: StepId | undefined;
  next: StepId | undefined;
} {
  const steps = getSteps(interfaces);
  if (step === "json") return { previous: steps.at(-2), next: steps.at(-1) };
  const place = steps.indexOf(step);
  return { previous: steps[place - 1], next: steps[place + 1] };
}
