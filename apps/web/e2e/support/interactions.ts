import type { Page } from "@playwright/test";

declare global {
  interface Window {
    /** Interactions on the page so far. */
    interactions: string[];
  }
}

/**
 * Records a user's interactions in the page: each pointer press, each Enter, and each edited field. Typing or pasting
 * into one field is one interaction until another one follows.
 */
export async function noteInteractions(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.interactions = [];
    let edited: EventTarget | null = null;
    const note = (event: Event, what: string, field: EventTarget | null = null) => {
      if (!event.isTrusted) return;
      edited = field;
      window.interactions.push(what);
    };
    const getName = (target: EventTarget | null) =>
      target instanceof Element ? (target.id || target.textContent || "").trim().slice(0, 60) : "";
    addEventListener("pointerdown", (event) => note(event, `click ${getName(event.target)}`), true);
    addEventListener(
      "keydown",
      (event) => event.key === "Enter" && note(event, `Enter in ${getName(event.target)}`),
      true,
    );
    addEventListener(
      "input",
      (event) => event.target !== edited && note(event, `edit ${getName(event.target)}`, event.target),
      true,
    );
  });
}

export const listInteractions = (page: Page): Promise<string[]> => page.evaluate(() => window.interactions);
