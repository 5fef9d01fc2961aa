import type { Locator } from "@playwright/test";

/** Measurements of how a visitor sees the controller of a service, on its page or in its list row. */
export interface Sight {
  /** All text, in order, on one line. */
  text: string;
  /** Host, path or contract according to the page. */
  proven: string;
  provenSize: number;
  /** Font size of the claimed name, or 0 without one. */
  nameSize: number;
  /** Largest font size of any text except the proven name. */
  otherSize: number;
  /** Reasons the proven name is not fully shown, or empty if it is. */
  cut: string[];
  /** True if the proven name is above the claimed one, or before it on the same line. */
  isFirst: boolean;
  /** Distance from the top of the page to its end, in pixels. */
  bottom: number;
  /** Links to other hosts without a text that names their destination. */
  unplaced: string[];
}

/** Measures in the browser which text comes first, its size, and whether any of it is cut off. */
export const measure = (place: Locator): Promise<Sight> =>
  place.evaluate((element) => {
    const main = element as HTMLElement;
    const proven = main.querySelector<HTMLElement>("[data-proven]");
    if (proven === null) throw new Error("Nothing says who is proven.");
    const size = (element: Element) => Number.parseFloat(getComputedStyle(element).fontSize);
    const name = main.querySelector('[data-claim="name"]');
    const withText = [...main.querySelectorAll("*")].filter((element) =>
      [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim()),
    );
    const cut: string[] = [];
    for (const { left, right } of proven.getClientRects()) {
      if (left < 0 || right > innerWidth) cut.push(`from ${left} to ${right} of ${innerWidth} pixels`);
    }
    for (let block: Element | null = proven; block !== null; block = block.parentElement) {
      const { overflowX, textOverflow, display } = getComputedStyle(block);
      if (textOverflow === "ellipsis") cut.push(`${block.tagName} has an ellipsis`);
      const isWider = display !== "inline" && block.scrollWidth > block.clientWidth;
      if (isWider) cut.push(`${block.tagName} is wider than it shows (${overflowX})`);
    }
    const isBefore = (one: Element, other: Element) => {
      const [first, second] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
      return first.bottom <= second.top || (first.top < second.bottom && first.right <= second.left);
    };
    const links = [...main.querySelectorAll<HTMLAnchorElement>('a[target="_blank"]')];
    return {
      // biome-ignore lint/performance/useDomNodeTextContent: what a visitor sees, not what the DOM holds
      text: main.innerText.replace(/\s+/g, " ").trim(),
      proven: proven.textContent ?? "",
      provenSize: size(proven),
      nameSize: name === null ? 0 : size(name),
      otherSize: Math.max(...withText.filter((element) => !proven.contains(element)).map(size)),
      cut,
      isFirst: name === null || isBefore(proven, name),
      bottom: proven.getBoundingClientRect().bottom + scrollY,
      unplaced: links
        .filter((link) => !link.parentElement?.querySelector("[data-place]"))
        .map(({ href }) => href),
    };
  });
