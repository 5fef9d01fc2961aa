import type { Page } from "@playwright/test";

declare global {
  interface Window {
    /** What a person did on the page so far. */
    interactions: string[];
  }
}

/**
 * Notes in the page itself what a person does: each press of a pointer, each Enter, and each field that is edited (typing
 * in one field, or pasting into it, is one interaction until something else is done).
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
