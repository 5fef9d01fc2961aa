"use client";

import { useCallback, useEffect, useReducer, useState } from "react";
import { type Draft, emptyDraft } from "./draft/draft.ts";
import { draftReducer } from "./draft/reducer.ts";
import { type DraftKey, forgetDraft, loadDraft, saveDraft } from "./draft/storage.ts";

function restore(key: DraftKey, prepared: Draft | undefined): Draft {
  const draft = loadDraft(localStorage, key) ?? prepared ?? emptyDraft();
  // Texts that were open when the page went away and are fine need no editor of their own any more.
  return Object.keys(draft.texts).reduce(
    (rest, pointer) => draftReducer(rest, { type: "closeText", pointer }),
    draft,
  );
}

/** A draft that is kept in the browser with every change. `prepared` is where a new one begins. */
export function useDraft(key: DraftKey, prepared: Draft | undefined) {
  const [draft, dispatch] = useReducer(draftReducer, undefined, () => restore(key, prepared));
  const [isKept, setKept] = useState(true);
  useEffect(() => setKept(saveDraft(localStorage, key, draft)), [key, draft]);
  const startOver = useCallback(() => {
    forgetDraft(localStorage, key);
    dispatch({ type: "load", draft: prepared ?? emptyDraft() });
  }, [key, prepared]);
  return { draft, dispatch, isKept, startOver };
}
