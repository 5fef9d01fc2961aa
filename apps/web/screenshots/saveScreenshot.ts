import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import sharp from "sharp";

const directory = process.env.SCREENSHOTS ?? "";
/** Margin around a part of a page, in pixels. */
const MARGIN = 16;

type Shown = {
  /** Maximum height in pixels, from the top of the page. */
  height: number;
  /** Part of the page to show over its whole width. */
  part?: Locator;
};

/** Writes a page or a part of it as `<name>.png` to the directory in SCREENSHOTS. */
export async function saveScreenshot(page: Page, name: string, { height, part }: Shown): Promise<void> {
  const { width } = page.viewportSize() ?? { width: 0 };
  const box = await part?.boundingBox();
  const content = await page.evaluate(() => document.documentElement.scrollHeight);
  const clip = box
    ? { x: 0, y: box.y - MARGIN, width, height: Math.min(height, box.height + 2 * MARGIN) }
    : { x: 0, y: 0, width, height: Math.min(height, content) };
  // To hide the caret, Playwright styles every input. Before hydration, React would report a mismatch.
  const isFocused = await page.evaluate(() => document.activeElement !== document.body);
  const caret = isFocused ? "hide" : "initial";
  const image = await page.screenshot({ animations: "disabled", fullPage: true, clip, caret });
  const file = join(directory, `${name}.png`);
  await mkdir(dirname(file), { recursive: true });
  const palette = { palette: true, colors: 48, dither: 0, effort: 10, compressionLevel: 9 };
  await sharp(image).png(palette).toFile(file);
}
