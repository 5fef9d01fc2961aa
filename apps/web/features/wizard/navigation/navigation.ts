import { useWindowEvent } from "@mantine/hooks";
import { type Dispatch, useCallback, useEffect, useRef, useState } from "react";
import type { Draft, StepId } from "../draft/draft.ts";
import type { DraftAction } from "../draft/reducer.ts";
import { fieldId, getStepOfField, getSteps, screens } from "../draft/screens.ts";

/**
 * Returns the screen in a page's fragment (`#about`), or `undefined` if the service has no such screen. A query
 * parameter would make the browser fetch the page again on Back.
 */
export function parseStepHash(hash: string, { interfaces }: Pick<Draft, "interfaces">): StepId | undefined {
  const named = hash.slice(1);
  return Object.hasOwn(screens, named) && (named === "json" || getSteps(interfaces).includes(named as StepId))
    ? (named as StepId)
    : undefined;
}

/** Returns the screens before and after the draft's current one. The JSON screen comes before the last one. */
export function getAdjacentSteps({ interfaces, step }: Pick<Draft, "interfaces" | "step">) {
  const steps = getSteps(interfaces);
  if (step === "json") return { previous: steps.at(-2), next: steps.at(-1) };
  const place = steps.indexOf(step);
  return { previous: steps[place - 1], next: steps[place + 1] };
}

/** Writes a screen to the page's URL, as a new history entry or in place of the current one. */
function writeStep(step: StepId, method: "pushState" | "replaceState"): void {
  history[method](null, "", `${location.pathname}${location.search}#${step}`);
}

/**
 * Adds a history entry for each screen, so that Back and Forward move between screens and a reload stays on one. The
 * first screen replaces the entry with which the page was opened.
 * @param goTo Shows a screen.
 */
export function useStepHistory(draft: Draft, goTo: (step: StepId) => void): void {
  const latest = useRef(draft);
  latest.current = draft;
  const isOpened = useRef(false);
  const { step } = draft;
  useEffect(() => {
    const named = parseStepHash(location.hash, latest.current);
    if (named !== step) writeStep(step, isOpened.current ? "pushState" : "replaceState");
    isOpened.current = true;
  }, [step]);
  useWindowEvent("popstate", () => {
    const named = parseStepHash(location.hash, draft);
    // The service no longer has this entry's screen, so point the entry to the screen that is shown.
    if (named === undefined) writeStep(step, "replaceState");
    else goTo(named);
  });
}

/** Types of single-line text inputs. */
const lines = new Set(["text", "url", "email", "search", "tel", "number"]);

/** Properties of an element that decide if Enter continues to the next screen. */
export type EnterTarget = Pick<HTMLInputElement, "type" | "id" | "form" | "ariaExpanded" | "closest">;

/**
 * Returns true if Enter in an element continues to the next screen: in single-line fields without open suggestions,
 * outside forms, which Enter submits, and outside lists and folded entries, which may have more fields.
 */
export const shouldContinueOnEnter = (element: EnterTarget): boolean =>
  lines.has(element.type) &&
  element.form === null &&
  element.ariaExpanded !== "true" &&
  !/\/\d+$/.test(element.id) &&
  element.closest("details, li, [role=dialog]") === null;

/** Returns the element of a field, or of the nearest enclosing part that has one. */
function findField(field: string): HTMLElement | null {
  for (let name = field; ; name = name.slice(0, name.lastIndexOf("/"))) {
    const element = document.getElementById(fieldId(name));
    if (element || !name.includes("/")) return element;
  }
}

function focusField(element: HTMLElement): void {
  for (let fold = element.closest("details"); fold; fold = fold.parentElement?.closest("details") ?? null) {
    fold.open = true;
  }
  const inputs = "input, select, textarea";
  const target = element.matches(inputs) ? element : (element.querySelector<HTMLElement>(inputs) ?? element);
  target.scrollIntoView({ block: "center" });
  target.focus({ preventScroll: true });
}

/** Returns a function that opens a field's screen, unfolds the sections around the field and focuses it. */
export function useProblemFocus(draft: Draft, dispatch: Dispatch<DraftAction>) {
  const [wanted, setWanted] = useState<{ field: string } | undefined>();
  const showField = useCallback(
    (field: string) => {
      dispatch({ type: "step", step: getStepOfField(field, draft) });
      setWanted({ field });
    },
    [dispatch, draft],
  );
  useEffect(() => {
    if (!wanted) return;
    let isFound = false;
    const look = (isLate: boolean) => () => {
      const element = isLate && isFound ? null : findField(wanted.field);
      if (!element) return;
      isFound = true;
      focusField(element);
    };
    // Retry several times: a fold renders its content only after it opens, and a screen may still be loading.
    const frames = [0, 60, 160, 400, 1_000, 2_500].map((delay) => setTimeout(look(delay > 160), delay));
    return () => frames.forEach(clearTimeout);
  }, [wanted]);
  return showField;
}
