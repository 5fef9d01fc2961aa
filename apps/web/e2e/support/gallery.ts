import { join } from "node:path";
import type { Page } from "@playwright/test";

const directory = process.env.GALLERY;

/** Keeps what a visitor sees first as `<name>-<width>.jpg`, if the variable GALLERY names a directory for it. */
export async function photograph(page: Page, name: string, { fullPage = false } = {}): Promise<void> {
  if (directory === undefined) return;
  const file = `${name.replaceAll(/[^a-z0-9]+/gi, "-")}-${page.viewportSize()?.width}.jpg`;
  await page.screenshot({ path: join(directory, file), type: "jpeg", quality: 60, fullPage });
}
