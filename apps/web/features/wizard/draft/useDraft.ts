import { useWindowEvent } from "@mantine/hooks";
import { useCallback, useEffect, useReducer, useState } from "react";
import { parseStepHash } from "../navigation/navigation.ts";
import { type Draft, type DraftKey, emptyDraft, hasInput, parseDraft, storageKey } from "./draft.ts";
import { draftReducer } from "./reducer.ts";

function restore(key: DraftKey, prepared: Draft | undefined): Draft {
  const saved = parseDraft(localStorage.getItem(storageKey("draft", key)) ?? "");
  const kept = saved && hasInput(saved) ? saved : (prepared ?? emptyDraft());
  // Close the JSON editors that were open when the page was left and whose text is valid.
  const draft = Object.keys(kept.texts).reduce(
    (rest, pointer) => draftReducer(rest, { type: "closeText", pointer }),
    kept,
  );
  const step = parseStepHash(location.hash, draft) ?? draft.step;
  return step === draft.step ? draft : draftReducer(draft, { type: "step", step });
}

/** Saves a text in the browser. Returns false if the browser refuses (private mode, full storage). */
function save(storageKey: string, text: string): boolean {
  try {
    localStorage.setItem(storageKey, text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Manages a draft that the browser saves with every change, and that follows the changes of other tabs while it `isFree`
 * of a publication. `prepared` is the initial value of a new draft.
 */
export function useDraft(key: DraftKey, prepared: Draft | undefined, isFree: boolean) {
  const place = storageKey("draft", key);
  const [draft, dispatch] = useReducer(draftReducer, undefined, () => restore(key, prepared));
  /** False if the draft is lost when the page closes. */
  const [isKept, setKept] = useState(true);
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    if (isOver) localStorage.removeItem(place);
    else setKept(save(place, JSON.stringify(draft)));
  }, [place, draft, isOver]);
  useWindowEvent("storage", ({ key: changed, newValue }) => {
    if (changed !== place || !isFree || isOver) return;
    // Another tab published or discarded the draft, so begin again from what is registered now.
    if (newValue === null) return location.reload();
    const other = parseDraft(newValue);
    if (other) dispatch({ type: "sync", draft: other });
  });
  const startOver = useCallback(() => {
    localStorage.removeItem(place);
    dispatch({ type: "load", draft: prepared ?? emptyDraft() });
  }, [place, prepared]);
  /** Deletes the saved draft for good. The page keeps showing it. */
  const letGo = useCallback(() => setOver(true), []);
  return { draft, dispatch, isKept, startOver, letGo };
}
