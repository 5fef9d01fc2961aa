import { useEffect } from "react";

const FOCUSABLE =
  "a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary, [tabindex]";

type Place = { element: HTMLElement; parent: HTMLElement; index: number };

/** Lists the places of an element and of its ancestors within the page's main part. */
function listPlaces(element: HTMLElement): Place[] {
  const parent = element.parentElement;
  if (parent === null || element.closest("main") === null || element.matches("main > *")) return [];
  return [{ element, parent, index: [...parent.children].indexOf(element) }, ...listPlaces(parent)];
}

/**
 * Moves the focus to the nearest remaining place when the focused element disappears, for example a button whose action
 * is done. Returns the focus to a button that was disabled while its action ran. Otherwise the next press of a key would
 * start at the top of the page.
 */
export function useFocusKeeper(): void {
  useEffect(() => {
    let places: Place[] = [];
    const remember = ({ target }: FocusEvent) => {
      if (target instanceof HTMLElement && target.closest("main")) places = listPlaces(target);
    };
    // Never take the focus after the user has left it by a click beside all fields and buttons.
    const forget = ({ target }: PointerEvent) => {
      if (target instanceof Element && !target.closest(`${FOCUSABLE}, label`)) places = [];
    };
    const restore = () => {
      if (document.activeElement !== document.body) return;
      const isThere = places[0]?.element.isConnected;
      const place = places.find(({ parent }) => parent.isConnected);
      if (place === undefined) return;
      const { element, parent, index } = place;
      const near = [parent.children[index], parent.children[index - 1]].flatMap((child) =>
        child ? [child, ...child.querySelectorAll(FOCUSABLE)].filter((part) => part.matches(FOCUSABLE)) : [],
      );
      for (const target of isThere ? [element] : [...near, parent]) {
        if (target === parent) parent.tabIndex = -1;
        (target as HTMLElement).focus({ preventScroll: true });
        if (document.activeElement === target) return;
      }
    };
    // The next frame comes after the effects of a new screen, which focus its title.
    const observer = new MutationObserver(() => requestAnimationFrame(restore));
    observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ["disabled"] });
    addEventListener("focusin", remember);
    addEventListener("pointerdown", forget);
    return () => {
      observer.disconnect();
      removeEventListener("focusin", remember);
      removeEventListener("pointerdown", forget);
    };
  }, []);
}
