/** Inputs of one line in which people type. */
const lines = new Set(["text", "url", "email", "search", "tel", "number"]);

/** What of an element decides whether Enter in it leads on. */
export interface EnterTarget {
  /** Of an `input`; undefined for any other element. */
  type: string | undefined;
  id: string;
  /** It belongs to a form, which Enter submits. */
  hasForm: boolean;
  /** It belongs to a folded entry of a list, which may have further fields. */
  isInEntry: boolean;
  /** A list of suggestions is open below it. */
  isExpanded: boolean;
}

/** Whether Enter in an element leads to the next screen: in a field of one line that is no row of a list. */
export function shouldContinueOnEnter({ type, id, hasForm, isInEntry, isExpanded }: EnterTarget): boolean {
  const isRow = /\/\d+$/.test(id);
  return type !== undefined && lines.has(type) && !hasForm && !isInEntry && !isExpanded && !isRow;
}

/** Reads an element for {@link shouldContinueOnEnter}. */
export function toEnterTarget(element: EventTarget): EnterTarget {
  const input = element instanceof HTMLInputElement ? element : undefined;
  return {
    type: input?.type,
    id: input?.id ?? "",
    hasForm: input?.form != null,
    isInEntry: input?.closest("details, li, [role=dialog]") != null,
    isExpanded: input?.getAttribute("aria-expanded") === "true",
  };
}
