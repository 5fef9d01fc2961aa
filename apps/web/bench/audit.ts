import { chromium as playwright } from "@playwright/test";
import chromium from "@sparticuz/chromium";
import lighthouse, { desktopConfig } from "lighthouse";

/** Lighthouse scores of a page (0 to 100) and transfer sizes of its first load, in kB (1,000 bytes). */
export type Audit = Record<"accessibility" | "best-practices" | "seo" | "performance", number> &
  Record<"js" | "css" | "html" | "font" | "image", number> & { requests: number; failed: string[] };

const categories = ["accessibility", "best-practices", "seo", "performance"] as const;
const types = { js: "script", css: "stylesheet", html: "document", font: "font", image: "image" };

/** Starts the Chromium of the browser tests with a debugging port for Lighthouse. */
export async function startBrowser(port: number) {
  return playwright.launch({
    executablePath: await chromium.executablePath(),
    args: ["--headless=shell", "--no-sandbox", `--remote-debugging-port=${port}`],
  });
}

/**
 * Loads a page with an empty cache until the network is idle, as a desktop browser on this machine's network. Includes
 * code that the page loads after its first scripts, because visitors wait for that code as well.
 * @throws if Lighthouse can't load the page.
 */
export async function auditPage(port: number, url: string): Promise<Audit> {
  const { lhr } =
    (await lighthouse(
      url,
      { port, logLevel: "error", onlyCategories: [...categories], throttlingMethod: "provided" },
      desktopConfig,
    )) ?? {};
  if (!lhr || lhr.runtimeError) throw new Error(`Lighthouse: ${lhr?.runtimeError?.message ?? url}`);
  const details = lhr.audits["resource-summary"]?.details as unknown as {
    items: { resourceType: string; transferSize: number; requestCount: number }[];
  };
  const find = (type: string) => details.items.find(({ resourceType }) => resourceType === type);
  const numbers = Object.fromEntries([
    ...categories.map((name) => [name, Math.round((lhr.categories[name]?.score ?? 0) * 100)]),
    ...Object.entries(types).map(([name, type]) => [
      name,
      Math.round((find(type)?.transferSize ?? 0) / 100) / 10,
    ]),
  ]);
  const failed = categories
    .filter((name) => name !== "performance")
    .flatMap((name) => lhr.categories[name]?.auditRefs ?? [])
    .filter(({ id, weight }) => weight > 0 && lhr.audits[id]?.score === 0)
    .map(({ id }) => id);
  return {
    ...(numbers as Omit<Audit, "requests" | "failed">),
    requests: find("total")?.requestCount ?? 0,
    failed,
  };
}
