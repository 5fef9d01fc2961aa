import { appPath } from "@app-registry/sdk";
import { expect, type Page } from "@playwright/test";
import { expectNoViolations } from "./support/accessibility.ts";
import { type Deception, deceptions, registerDeceptions } from "./support/deceptions.ts";
import { measure } from "./support/measure.ts";
import { test } from "./support/test.ts";

/** Measures a page and compares it with the values that a visitor must see. */
async function expectNotFooled(page: Page, { did, line, proven, says = [], hides }: Deception) {
  const sight = await measure(page.locator("main"));
  const place = `${did} at ${page.viewportSize()?.width} pixels`;
  expect(sight.text.toLowerCase().indexOf(line.toLowerCase()), `${place} begins with ${line}`).toBe(0);
  expect(sight.proven.toLowerCase().startsWith(proven.toLowerCase()), `${place} names ${proven}`).toBe(true);
  expect(sight.cut, place).toEqual([]);
  expect(sight.isFirst, place).toBe(true);
  expect(sight.provenSize, place).toBeGreaterThan(sight.nameSize);
  expect(sight.provenSize, place).toBeGreaterThan(sight.otherSize);
  expect(sight.unplaced, place).toEqual([]);
  for (const words of says)
    expect(sight.text, place).toMatch(typeof words === "string" ? literal(words) : words);
  if (hides) expect(sight.text, place).not.toMatch(hides);
  return sight;
}

const literal = (text: string) => new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "i");

test.describe("a page that a deceiver registered", () => {
  let close: (() => Promise<void>) | undefined;

  test.beforeAll(async ({ browser, baseURL }) => {
    const page = await browser.newPage(baseURL === undefined ? {} : { baseURL });
    close = await registerDeceptions(page);
    await page.close();
  });
  test.afterAll(() => close?.());

  test.describe("without JavaScript", () => {
    test.use({ javaScriptEnabled: false });
    for (const deception of deceptions) {
      // @threat services: A brand's name under an unrelated host
      test(`${deception.what}: starts with the full proven name at both widths without JavaScript`, async ({
        page,
      }) => {
        await page.goto(appPath(deception.did));
        for (const width of [1280, 360]) {
          await page.setViewportSize({ width, height: 640 });
          const sight = await expectNotFooled(page, deception);
          expect(sight.bottom, "on the first screen").toBeLessThan(640);
          for (const fact of ["Record", "Control", "Content", "Attested", "Origin"]) {
            expect(sight.text).toMatch(new RegExp(`${fact} (Pass|Fail|Unknown)`));
          }
        }
      });
    }
  });

  for (const [index, deception] of deceptions.entries()) {
    // @threat services: A brand's name under an unrelated host
    test(`${deception.what}: starts with the proven name on a phone and is accessible`, async ({ page }) => {
      await page.setViewportSize({ width: 360, height: 640 });
      const colorScheme = index % 2 === 0 ? "light" : "dark";
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.goto(appPath(deception.did));
      await expectNotFooled(page, deception);
      await expectNoViolations(page);
    });
  }

  for (const width of [1280, 360]) {
    // @threat services: A brand's name under an unrelated host
    test(`a list starts with the full proven name and marks claims at ${width} pixels`, async ({ page }) => {
      await page.setViewportSize({ width, height: 640 });
      await page.goto("/apps?status=any");
      await expect(page.getByText("Checking…")).toHaveCount(0);
      for (const { what, line, proven, hides } of deceptions) {
        await test.step(what, async () => {
          const place = page.locator("[data-proven]", { hasText: proven });
          const row = page.getByRole("listitem").filter({ has: place });
          const { text, provenSize, nameSize, otherSize, cut, isFirst } = await measure(row);
          expect(text.replace(/^Record number \d+ /, "").toLowerCase()).toMatch(
            new RegExp(`^${literal(line).source}`, "i"),
          );
          expect(cut).toEqual([]);
          expect(isFirst).toBe(true);
          expect(provenSize).toBeGreaterThanOrEqual(Math.max(nameSize, otherSize));
          if (proven.includes("xn--")) expect(text).toMatch(/(Look-alike|Mixed) letters\./);
          if (proven.startsWith("eip155:")) {
            expect(text).toMatch(
              /This address looks like the one in record \d+\. Differences are underlined\./,
            );
            await expect(row.locator("mark")).toHaveText(["aa", "aaaaaaaaaa"], { ignoreCase: true });
          }
          if (nameSize > 0) expect(text).toMatch(/Claimed: “[^”]+” .*Claimed description: “[^”]+”/);
          if (hides && !/Claimed name|proven/.test(hides.source)) expect(text).not.toMatch(hides);
        });
      }
    });
  }
});
