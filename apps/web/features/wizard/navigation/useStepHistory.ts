import { useEffect, useRef } from "react";
import type { Draft, StepId } from "../draft/draft.ts";
import { parseStepHash } from "./stepUrl.ts";

/** Puts a screen into the page's address: as a new entry of the browser's history, or in place of the present one. */
function writeStep(step: StepId, method: "pushState" | "replaceState"): void {
  history[method](null, "", `${location.pathname}${location.search}#${step}`);
}

/**
 * Makes each screen an entry of the browser's history, so that Back and Forward lead through the screens and a reload
 * stays on one. The first screen takes the place of the entry with which the page was opened.
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
      // A screen that the service passes no more: its entry names the screen that is shown.
      if (named === undefined) writeStep(latest.current.draft.step, "replaceState");
      else latest.current.goTo(named);
    };
    addEventListener("popstate", onPopState);
    return () => removeEventListener("popstate", onPopState);
  }, []);
}
