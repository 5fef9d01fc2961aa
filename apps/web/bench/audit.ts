import lighthouse from "lighthouse";
import type { BenchBrowser } from "./pages.ts";

/** Lighthouse's scores, 0 to 100. */
type Scores = { accessibility: number; bestPractices: number; seo: number; performance: number };

/** What an audit found wrong, by its id. */
export type Audit = Scores & { failed: string[] };

const categories = ["accessibility", "best-practices", "seo", "performance"] as const;

/**
 * Audits a page as a desktop shows it. Performance depends on the machine.
 *
 * @throws When Lighthouse can't load the page.
 */
export async function auditPage({ port }: BenchBrowser, url: string): Promise<Audit> {
  const result = await lighthouse(url, {
    port,
    logLevel: "error",
    onlyCategories: [...categories],
    formFactor: "desktop",
    screenEmulation: { mobile: false, width: 1280, height: 900, deviceScaleFactor: 1, disabled: false },
    throttlingMethod: "provided",
  });
  const report = result?.lhr;
  if (!report || report.runtimeError) throw new Error(`Lighthouse: ${report?.runtimeError?.message ?? url}`);
  const score = (name: (typeof categories)[number]) =>
    Math.round((report.categories[name]?.score ?? 0) * 100);
  const failed = categories
    .filter((name) => name !== "performance")
    .flatMap((name) => report.categories[name]?.auditRefs ?? [])
    .filter(({ id, weight }) => weight > 0 && report.audits[id]?.score === 0)
    .map(({ id }) => id);
  return {
    accessibility: score("accessibility"),
    bestPractices: score("best-practices"),
    seo: score("seo"),
    performance: score("performance"),
    failed,
  };
}
