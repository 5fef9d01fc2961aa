/** Types of single-line text inputs. */
const lines = new Set(["text", "url", "email", "search", "tel", "number"]);

/** Properties of an element that decide if Enter continues to the next screen. */
export interface EnterTarget {
  /** Type of an `input`, or undefined for any other element. */
  type: string | undefined;
  id: string;
  /** True if the element belongs to a form, which Enter submits. */
  hasForm: boolean;
  /** True if the element belongs to a folded list entry, which may have more fields. */
  isInEntry: boolean;
  /** True if a list of suggestions is open below the element. */
  isExpanded: boolean;
}

/** Returns true if Enter in an element continues to the next screen: in single-line fields outside lists and forms. */
export function shouldContinueOnEnter({ type, id, hasForm, isInEntry, isExpanded }: EnterTarget): boolean {
  const isRow = /\/\d+$/.test(id);
  return type !== undefined && lines.has(type) && !hasForm && !isInEntry && !isExpanded && !isRow;
}

/** Reads the properties of an element for {@link shouldContinueOnEnter}. */
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
