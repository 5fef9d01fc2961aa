import type { Locator } from "@playwright/test";

/** Visible text and measurements of a service's page, or of its row in a list. */
export interface Sight {
  /** All text, in order, on one line. */
  text: string;
  /** Proven host, path or contract. */
  proven: string;
  provenSize: number;
  /** Largest font size of any other text, in pixels. */
  otherSize: number;
  /** Reasons that the proven name is not shown in full. */
  cut: string[];
  /** The proven name is above the claimed one, or before it on the same line. */
  isFirst: boolean;
  /** Distance from the top of the page to the end of the proven name, in pixels. */
  bottom: number;
  /** Links to other hosts without a note on where they lead. */
  unplaced: string[];
  /** Visible claims and icons outside a block with a visible label, above or before them, that calls them claimed. */
  unlabelled: string[];
  /** Visible claims. */
  claims: string[];
  /** Claims that a reader could take for a proven name: the text of a link, or bold. */
  emphasized: string[];
  /** Text outside the blocks of claims, on one line. */
  unclaimedText: string;
  /** Number of blocks of claims. */
  blocks: number;
}

/**
 * Measures the position, size and visibility of the proven name and the claims in the browser. Waits until the place is
 * visible, because a streamed part of a page stays hidden for some time after it arrived.
 */
export async function measure(place: Locator): Promise<Sight> {
  await place.waitFor();
  return place.evaluate((element) => {
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
    const isShown = (part: Element) => {
      const { width, height } = part.getBoundingClientRect();
      return (
        part.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && width > 1 && height > 1
      );
    };
    const blocks = [...main.querySelectorAll<HTMLElement>("[data-claims]")];
    const getTag = (block: Element) => [...block.querySelectorAll("[data-claims-label]")].find(isShown);
    // The heading of a list labels the claims of its rows.
    const getHeading = (block: Element) => {
      const headings =
        block.closest("[data-list]")?.querySelectorAll(":scope > * > [data-claims-label]") ?? [];
      return [...headings].find(isShown);
    };
    const isLabelled = (claim: Element) => {
      const block = claim.closest("[data-claims]");
      const label = block && (getTag(block) ?? getHeading(block));
      if (!label || !/^claimed\b/i.test(label.textContent ?? "")) return false;
      const [start] = claim.getClientRects();
      const box = label.getBoundingClientRect();
      return start !== undefined && (box.bottom <= start.top + 1 || box.right <= start.left);
    };
    const icons = [...main.querySelectorAll("[data-icon]")];
    const claims = [...main.querySelectorAll("[data-claim]")].filter(isShown);
    // biome-ignore lint/performance/useDomNodeTextContent: what a visitor sees, not what the DOM holds
    const toText = (element: HTMLElement) => element.innerText.replace(/\s+/g, " ").trim();
    const text = toText(main);
    const displays = blocks.map(({ style }) => style.display);
    for (const { style } of blocks) style.display = "none";
    const unclaimedText = toText(main);
    blocks.forEach(({ style }, index) => {
      style.display = displays[index] ?? "";
    });
    const weigh = (part: Element) => Number(getComputedStyle(part).fontWeight);
    const links = [...main.querySelectorAll<HTMLAnchorElement>('a[target="_blank"]')];
    return {
      text,
      proven: proven.textContent ?? "",
      provenSize: size(proven),
      otherSize: Math.max(...withText.filter((element) => !proven.contains(element)).map(size)),
      cut,
      isFirst: name === null || isBefore(proven, name),
      bottom: proven.getBoundingClientRect().bottom + scrollY,
      unplaced: links
        .filter((link) => !link.parentElement?.querySelector("[data-place]"))
        .map(({ href }) => href),
      unlabelled: [...claims, ...icons]
        .filter((claim) => !isLabelled(claim))
        .map((claim) => claim.textContent || claim.outerHTML),
      claims: claims.map((claim) => claim.textContent ?? ""),
      emphasized: claims
        .filter((claim) => claim.getAttribute("data-claim") !== "link")
        .filter((claim) => claim.closest("a") !== null || weigh(claim) > 400)
        .map((claim) => claim.textContent ?? ""),
      unclaimedText,
      blocks: blocks.length,
    };
  });
}
