import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/** Expects that a page breaks no rule of accessibility in either theme, and that a phone shows its whole width. */
export async function expectAccessible(page: Page, place = page.url()): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    // Contrast is judged at rest: what is half faded in has none.
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const { violations } = await new AxeBuilder({ page }).analyze();
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
    expect(found, `${place} in ${colorScheme} colours`).toEqual([]);
  }
  const size = page.viewportSize();
  await page.setViewportSize({ width: 360, height: 740 });
  // What a script lays out follows the window a moment later.
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth), place).toBe(360);
  if (size) await page.setViewportSize(size);
}
