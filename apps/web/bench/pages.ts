import { gzipSync } from "node:zlib";
import { type Browser, chromium as playwright, type Response } from "@playwright/test";
import chromium from "@sparticuz/chromium";

/** What the first load of a page takes, in kB (1,000 bytes) of gzip. */
export type PageFigures = {
  /** The page's kind: its route. */
  page: string;
  jsKB: number;
  cssKB: number;
  htmlKB: number;
  fontKB: number;
  imageKB: number;
  /** Of all types. */
  requests: number;
};

/** The port at which Lighthouse finds the browser. */
export type BenchBrowser = { browser: Browser; port: number };

/** Starts the Chromium of the browser tests, with a debugging port. */
export async function startBrowser(port: number): Promise<BenchBrowser> {
  const browser = await playwright.launch({
    executablePath: await chromium.executablePath(),
    args: ["--headless=shell", "--no-sandbox", `--remote-debugging-port=${port}`],
  });
  return { browser, port };
}

const kinds: Record<string, keyof PageFigures> = {
  document: "htmlKB",
  script: "jsKB",
  stylesheet: "cssKB",
  font: "fontKB",
  image: "imageKB",
};

/**
 * Loads a page with an empty cache until the network is quiet, and sums what came: code that a page loads by itself
 * after its first scripts counts, as a visitor waits for it too.
 */
export async function measurePage(
  { browser }: BenchBrowser,
  page: string,
  url: string,
): Promise<PageFigures> {
  const context = await browser.newContext();
  try {
    const tab = await context.newPage();
    const responses: Response[] = [];
    tab.on("response", (response) => responses.push(response));
    await tab.goto(url, { waitUntil: "networkidle" });
    const bytes = { htmlKB: 0, jsKB: 0, cssKB: 0, fontKB: 0, imageKB: 0 };
    for (const response of responses) {
      const kind = kinds[response.request().resourceType()];
      if (kind === undefined || response.status() >= 300) continue;
      const body = await response.body();
      // Fonts and pictures are packed already.
      const packed = kind === "fontKB" || kind === "imageKB" ? body : gzipSync(body);
      bytes[kind as keyof typeof bytes] += packed.length;
    }
    const figures = Object.entries(bytes).map(([kind, size]) => [kind, Math.round(size / 100) / 10]);
    return { page, ...(Object.fromEntries(figures) as typeof bytes), requests: responses.length };
  } finally {
    await context.close();
  }
}
