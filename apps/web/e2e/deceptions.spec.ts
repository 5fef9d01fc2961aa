import { appPath } from "@app-registry/sdk";
import { expect, type Page } from "@playwright/test";
import { expectNoViolations } from "./support/accessibility.ts";
import { type Deception, deceptions, registerDeceptions, showFakeMark } from "./support/deceptions.ts";
import { measure, type Sight } from "./support/measure.ts";
import { test } from "./support/test.ts";

/** Expects that a page begins with the proven name, in full, and labels all claims. */
async function expectNotFooled(page: Page, { did, line, proven, says = [], hides, staleAt }: Deception) {
  const sight = await measure(page.getByRole("article"));
  const place = `${did} at ${page.viewportSize()?.width} pixels`;
  expect(sight.text.toLowerCase().indexOf(line.toLowerCase()), `${place} begins with ${line}`).toBe(0);
  expect(sight.proven.toLowerCase().startsWith(proven.toLowerCase()), `${place} names ${proven}`).toBe(true);
  expect(sight.cut, place).toEqual([]);
  expect(sight.isFirst, place).toBe(true);
  expect(sight.provenSize, place).toBeGreaterThan(sight.otherSize);
  expect(sight.unplaced, place).toEqual([]);
  expectLabelledClaims(sight, place);
  expect(sight.blocks, `${place} has one block of claims, or none without a document`).toBe(staleAt ? 0 : 1);
  if (!staleAt) expect(sight.text, place).toContain("Claimed by the publisher · not verified");
  for (const words of says)
    expect(sight.text, place).toMatch(typeof words === "string" ? literal(words) : words);
  if (hides) expect(sight.text, place).not.toMatch(hides);
  return sight;
}

/** Expects that all claims are in labelled blocks, and that none looks like a proven name. */
function expectLabelledClaims({ unlabelled, emphasized, claims, unclaimedText }: Sight, place: string) {
  expect(unlabelled, `${place}: claims without a label`).toEqual([]);
  expect(emphasized, `${place}: claims in links or in bold`).toEqual([]);
  for (const claim of claims) {
    expect(unclaimedText, `${place}: outside the labelled blocks`).not.toContain(claim);
  }
}

const literal = (text: string) => new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "i");

let close: (() => Promise<void>) | undefined;

test.beforeAll(async ({ baseURL }) => {
  close = await registerDeceptions(baseURL);
});
test.afterAll(() => close?.());
test.beforeEach(({ page }) => showFakeMark(page));

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });
  // @threat services: A brand's name under an unrelated or look-alike host
  test("each begins with the proven name, in full, and labels the claims at both widths", async ({
    page,
  }) => {
    for (const deception of deceptions) {
      await page.goto(appPath(deception.did));
      for (const width of [1280, 360]) {
        await page.setViewportSize({ width, height: 640 });
        const sight = await expectNotFooled(page, deception);
        expect(sight.bottom, `${deception.what}: on the first screen`).toBeLessThan(640);
        for (const fact of ["Record", "Control", "Content", "Attested", "Origin"]) {
          expect(sight.text, deception.what).toMatch(new RegExp(`${fact} (Pass|Fail|Unknown)`));
        }
      }
    }
  });
});

// Scripts change the same parts of each of these pages, so that two of them stand for all.
for (const [colorScheme, deception] of [
  ["light", deceptions[0]],
  ["dark", deceptions.at(-1)],
] as const) {
  if (deception === undefined) throw new Error("There is no deception.");
  // @threat services: A brand's name under an unrelated or look-alike host
  test(`${deception.what}: begins with the proven name on a phone with scripts, and is accessible`, async ({
    page,
  }) => {
    await page.setViewportSize({ width: 360, height: 640 });
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.goto(appPath(deception.did));
    await expectNotFooled(page, deception);
    await expectNoViolations(page);
  });
}

// @threat services: A brand's name under an unrelated or look-alike host
test("a list begins each row with the proven name, in full, and labels the claims at both widths", async ({
  page,
}) => {
  await page.goto("/apps?status=any");
  await expect(page.getByText("Checking…")).toHaveCount(0);
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 640 });
    for (const { what, line, proven, hides, staleAt } of deceptions) {
      await test.step(`${what}, at ${width} pixels`, async () => {
        const place = page.locator("[data-proven]", { hasText: proven });
        const row = page.getByRole("listitem").filter({ has: place });
        const sight = await measure(row);
        const { text, provenSize, otherSize, cut, isFirst, blocks } = sight;
        expect(text).toMatch(new RegExp(`^${literal(line).source}`, "i"));
        expect(cut).toEqual([]);
        expect(isFirst).toBe(true);
        expect(provenSize).toBeGreaterThan(otherSize);
        expectLabelledClaims(sight, what);
        expect(blocks).toBe(1);
        if (proven.includes("xn--")) expect(text).toMatch(/(Look-alike|Mixed) letters\./);
        if (proven.startsWith("eip155:")) {
          expect(text).toMatch(
            /Look-alike address\. It looks like the one in record \d+\. Differences are underlined\./,
          );
          await expect(row.locator("mark")).toHaveText(["aa", "aaaaaaaaaa"], { ignoreCase: true });
        }
        if (!staleAt) expect(text).toMatch(/Claimed name: “[^”]+” \w[^“”]* Claimed description: “[^”]+”/);
        if (hides && !/Claimed|proven/.test(hides.source)) expect(text).not.toMatch(hides);
      });
    }
  }
});
