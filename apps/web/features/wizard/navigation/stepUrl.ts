import type { Draft, StepId } from "../draft/draft.ts";
import { screens, stepsOf } from "../draft/screens.ts";

/** Where a query names the screen: `?step=about`. */
const PARAMETER = "step";

/** The screen that a page's query names; undefined when it names none that this service passes. */
export function stepOfSearch(search: string, { interfaces }: Pick<Draft, "interfaces">): StepId | undefined {
  const named = new URLSearchParams(search).get(PARAMETER);
  if (named === null || !Object.hasOwn(screens, named)) return undefined;
  const step = named as StepId;
  return step === "json" || stepsOf(interfaces).includes(step) ? step : undefined;
}

/** A page's query with another screen in it; the rest of it stays, and a colon stands as it is (RFC 3986, 3.4). */
export function searchWithStep(search: string, step: StepId): string {
  const query = new URLSearchParams(search);
  query.set(PARAMETER, step);
  return `?${query.toString().replaceAll("%3A", ":")}`;
}

/** The screens before and after the draft's own. The JSON stands beside the others, before the last one. */
export function neighbours({ interfaces, step }: Pick<Draft, "interfaces" | "step">): {
  previous: StepId | undefined;
  next: StepId | undefined;
} {
  const steps = stepsOf(interfaces);
  if (step === "json") return { previous: steps.at(-2), next: steps.at(-1) };
  const place = steps.indexOf(step);
  return { previous: steps[place - 1], next: steps[place + 1] };
}
