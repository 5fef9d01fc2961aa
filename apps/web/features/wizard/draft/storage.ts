import { type Draft, parseDraft } from "./draft.ts";

/** Which draft a browser keeps: a new service, or the next version of a record. */
export type DraftKey = { chainId: number; did?: string | undefined; major?: number | undefined };

/** The part of `Storage` that drafts need. */
export type TextStore = Pick<Storage, "getItem" | "setItem" | "removeItem">;

function storageKey(kind: "draft" | "submission", { chainId, did, major }: DraftKey): string {
  return `app-registry:${kind}:${chainId}:${did === undefined ? "new" : `${did}@${major}`}`;
}

/** The draft kept under a key; undefined when there is none that can be read. */
export function loadDraft(store: TextStore, key: DraftKey): Draft | undefined {
  const text = store.getItem(storageKey("draft", key));
  return text === null ? undefined : parseDraft(text);
}

/**
 * Keeps a draft.
 * @returns false when the browser refuses (private mode, full): what is typed then lives as long as the page.
 */
export function saveDraft(store: TextStore, key: DraftKey, draft: Draft): boolean {
  try {
    store.setItem(storageKey("draft", key), JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

/** Forgets a draft, once it is published or the person starts anew. */
export function forgetDraft(store: TextStore, key: DraftKey): void {
  store.removeItem(storageKey("draft", key));
}

/** Where a running submission is kept, beside its draft. */
export function submissionKey(key: DraftKey): string {
  return storageKey("submission", key);
}
