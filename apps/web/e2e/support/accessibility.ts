import { expect, type Page } from "@playwright/test";
import axe, { type RunOptions } from "axe-core";

/** The rules that a theme decides. */
const COLOURS = ["color-contrast", "link-in-text-block"];

/** Expects that a page, as it stands, breaks no rule of accessibility. @param rules Those that are asked; all by default */
export async function expectNoViolations(page: Page, place = page.url(), rules?: string[]): Promise<void> {
  // A page's policy lets no other script in, but what the test's own connection brings.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  // After a click on a link, the title comes a moment later than what the page shows.
  await expect(page, place).toHaveTitle(/./);
  const options: RunOptions = { resultTypes: ["violations"], elementRef: true };
  if (rules) options.runOnly = { type: "rule", values: rules };
  const found = await page.evaluate(async (options) => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, options);
    // RainbowKit's dialogs give pictures the role "img" without a name; each stands beside the name of its wallet.
    const isUnnamedPicture = (id: string, element?: Element) =>
      id === "role-img-alt" && element?.closest('[role="dialog"][data-rk]');
    return violations.flatMap(({ id, nodes }) =>
      nodes.filter(({ element }) => !isUnnamedPicture(id, element)).map(({ html }) => `${id}: ${html}`),
    );
  }, options);
  expect(found, place).toEqual([]);
}

/** Expects that a page breaks no rule of accessibility in either theme, and that a phone shows its whole width. */
export async function expectAccessible(page: Page, place = page.url()): Promise<void> {
  // Contrast is judged at rest: what is half faded in has none.
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await expectNoViolations(page, `${place} in light colours`);
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  await expectNoViolations(page, `${place} in dark colours`, COLOURS);
  const size = page.viewportSize();
  await page.setViewportSize({ width: 360, height: 740 });
  // What a script lays out follows the window a moment later.
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth), place).toBe(360);
  if (size) await page.setViewportSize(size);
}
