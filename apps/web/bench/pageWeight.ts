import { chromium as playwright } from "@playwright/test";
import chromium from "@sparticuz/chromium";

const types = { html: "Document", js: "Script", css: "Stylesheet", font: "Font", image: "Image" };

/** Transfer sizes of a page's first load in kB (1,000 bytes), and the number of its requests. */
export type PageWeight = Record<keyof typeof types | "requests", number>;

/**
 * Loads each page with an empty cache until the network is idle. Includes code that a page loads after its first
 * scripts, because visitors wait for that code as well.
 */
export async function weighPages(urls: readonly string[]): Promise<PageWeight[]> {
  const browser = await playwright.launch({
    executablePath: await chromium.executablePath(),
    args: ["--headless=shell", "--no-sandbox"],
  });
  const weights: PageWeight[] = [];
  for (const url of urls) {
    const context = await browser.newContext();
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    const kinds = new Map<string, string>();
    const loaded: { type: string | undefined; bytes: number }[] = [];
    session.on("Network.responseReceived", ({ requestId, type }) => kinds.set(requestId, type));
    session.on("Network.loadingFinished", ({ requestId, encodedDataLength: bytes }) =>
      loaded.push({ type: kinds.get(requestId), bytes }),
    );
    await session.send("Network.enable");
    await page.goto(url, { waitUntil: "networkidle" });
    const sizes = Object.entries(types).map(([name, wanted]) => {
      const bytes = loaded.reduce((sum, { type, bytes }) => sum + (type === wanted ? bytes : 0), 0);
      return [name, Math.round(bytes / 100) / 10];
    });
    weights.push({ ...Object.fromEntries(sizes), requests: loaded.length });
    await context.close();
  }
  await browser.close();
  return weights;
}
