import { useEffect, useRef } from "react";
import type { Draft, StepId } from "../draft/draft.ts";
import { parseStepHash } from "./stepUrl.ts";

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
  const latest = useRef({ draft, goTo });
  latest.current = { draft, goTo };
  const isOpened = useRef(false);
  const { step } = draft;

  useEffect(() => {
    const named = parseStepHash(location.hash, latest.current.draft);
    if (named !== step) writeStep(step, isOpened.current ? "pushState" : "replaceState");
    isOpened.current = true;
  }, [step]);

  useEffect(() => {
    const onPopState = () => {
      const named = parseStepHash(location.hash, latest.current.draft);
      // The service no longer has this entry's screen, so point the entry to the screen that is shown.
      if (named === undefined) writeStep(latest.current.draft.step, "replaceState");
      else latest.current.goTo(named);
    };
    addEventListener("popstate", onPopState);
    return () => removeEventListener("popstate", onPopState);
  }, []);
}
