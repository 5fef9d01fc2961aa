import { chromium as playwright } from "@playwright/test";
import chromium from "@sparticuz/chromium";
import lighthouse, { desktopConfig } from "lighthouse";

/** Lighthouse's scores of a page, 0 to 100, and what its first load takes, in kB (1,000 bytes) as they are sent. */
export type Audit = Record<"accessibility" | "best-practices" | "seo" | "performance", number> &
  Record<"js" | "css" | "html" | "font" | "image", number> & { requests: number; failed: string[] };

const categories = ["accessibility", "best-practices", "seo", "performance"] as const;
const types = { js: "script", css: "stylesheet", html: "document", font: "font", image: "image" };

/** Starts the Chromium of the browser tests, with a port at which Lighthouse finds it. */
export async function startBrowser(port: number) {
  return playwright.launch({
    executablePath: await chromium.executablePath(),
    args: ["--headless=shell", "--no-sandbox", `--remote-debugging-port=${port}`],
  });
}

/**
 * Loads a page with an empty cache until the network is quiet, as a desktop does on the network of this machine. Code that a page loads by itself after its first scripts
 * counts, as a visitor waits for it too.
 * @throws When Lighthouse can't load the page.
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
