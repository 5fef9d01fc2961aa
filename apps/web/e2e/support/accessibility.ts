import { expect, type Page } from "@playwright/test";
import axe, { type RunOptions } from "axe-core";

/** Accessibility rules that depend on the theme. */
const COLORS = ["color-contrast", "link-in-text-block"];

/**
 * Expects that a page in its current state violates no accessibility rule.
 * @param rules Rules to check; default all.
 */
export async function expectNoViolations(page: Page, place = page.url(), rules?: string[]): Promise<void> {
  // The page's policy blocks injected scripts except those from the test's own connection.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  // After a client-side navigation, the title is updated later than the content.
  await expect(page, place).toHaveTitle(/./);
  // axe leaves this rule of WCAG 2.2 out unless it is named.
  const rule = { "target-size": { enabled: true } };
  const options: RunOptions = { resultTypes: ["violations"], elementRef: true, rules: rule };
  if (rules) options.runOnly = { type: "rule", values: rules };
  const found = await page.evaluate(async (options) => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, options);
    // RainbowKit's dialogs use the role "img" without a name for pictures beside the wallet's name.
    const isUnnamedPicture = (id: string, element?: Element) =>
      id === "role-img-alt" && element?.closest('[role="dialog"][data-rk]');
    return violations.flatMap(({ id, nodes }) =>
      nodes.filter(({ element }) => !isUnnamedPicture(id, element)).map(({ html }) => `${id}: ${html}`),
    );
  }, options);
  expect(found, place).toEqual([]);
}

/** Expects that a page is accessible in both themes and fits the width of a phone. */
export async function expectAccessible(page: Page, place = page.url()): Promise<void> {
  // Disable animations: half-faded content has no contrast.
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await expectNoViolations(page, `${place} in light colors`);
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  await expectNoViolations(page, `${place} in dark colors`, COLORS);
  const size = page.viewportSize();
  await page.setViewportSize({ width: 360, height: 740 });
  // Scripts adapt the layout to the window with a delay.
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth), place).toBe(360);
  if (size) await page.setViewportSize(size);
}
