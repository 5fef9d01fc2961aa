"use client";

import { type Dispatch, useCallback, useEffect, useState } from "react";
import type { Draft } from "./draft/draft.ts";
import type { DraftAction } from "./draft/reducer.ts";
import { stepOfField } from "./draft/steps.ts";
import { fieldId } from "./WizardContext.tsx";

/** The element of a field, or of the nearest part around it that has one. */
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
  const input = element.matches("input, select, textarea")
    ? element
    : element.querySelector("input, select, textarea");
  const target = input instanceof HTMLElement ? input : element;
  target.scrollIntoView({ block: "center" });
  target.focus({ preventScroll: true });
}

/** Leads to a field: shows its screen, opens what it is folded in, and puts the cursor into it. */
export function useProblemFocus(draft: Draft, dispatch: Dispatch<DraftAction>) {
  const [wanted, setWanted] = useState<{ field: string } | undefined>();
  const showField = useCallback(
    (field: string) => {
      dispatch({ type: "step", step: stepOfField(field, draft) });
      setWanted({ field });
    },
    [dispatch, draft],
  );
  useEffect(() => {
    if (!wanted) return;
    // A fold's content is drawn only after it opened, so the field is looked for once more.
    const frames = [0, 60, 160].map((delay) =>
      setTimeout(() => {
        const element = findField(wanted.field);
        if (element) focusField(element);
      }, delay),
    );
    return () => frames.forEach(clearTimeout);
  }, [wanted]);
  return showField;
}
