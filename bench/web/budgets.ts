import type { Audit } from "../../apps/web/bench/audit.ts";
import type { PageFigures } from "../../apps/web/bench/pages.ts";
import type { ServerTime } from "./serverTime.ts";

/** Figures of one run. */
export interface WebFigures {
  /** The only page of the registry whose interface this one follows. */
  reference: { jsKB: number };
  pages: PageFigures[];
  audits: ({ page: string } & Audit)[];
  serverTime: ServerTime;
}

/** First-load JavaScript of the reference registry's only page, kB of gzip, as measured. */
export const REFERENCE_JS_KB = 1_170;

type SizeBudget = Pick<PageFigures, "jsKB" | "cssKB">;

const PUBLIC_BUDGET: SizeBudget = { jsKB: 125, cssKB: 25 };
/** With RainbowKit and its styles. */
const WALLET_BUDGET: SizeBudget = { jsKB: 550, cssKB: 30 };
/** Of accessibility, best practices and SEO. */
const MIN_SCORE = 95;
const MAX_RATIO = 4;

/** Pages with a wallet or the wizard. */
const walletPages: ReadonlySet<string> = new Set([
  "/register",
  "/my",
  "/control?did=<did>&account=<address>",
]);

const budgetOf = (page: string): SizeBudget => (walletPages.has(page) ? WALLET_BUDGET : PUBLIC_BUDGET);

export const jsBudget = (page: string): number => budgetOf(page).jsKB;

/** Each budget that a run exceeds, in words. */
export function missedBudgets({ pages, audits, serverTime }: WebFigures): string[] {
  return [
    ...pages.flatMap(({ page, jsKB, cssKB }) => {
      const budget = budgetOf(page);
      return [
        ...(jsKB > budget.jsKB
          ? [`${page} loads ${jsKB} kB of JavaScript; ${budget.jsKB} are its budget`]
          : []),
        ...(cssKB > budget.cssKB ? [`${page} loads ${cssKB} kB of CSS; ${budget.cssKB} are its budget`] : []),
      ];
    }),
    ...audits.flatMap(({ page, failed, ...scores }) =>
      (["accessibility", "bestPractices", "seo"] as const)
        .filter((name) => scores[name] < MIN_SCORE)
        .map((name) => `${page} has ${scores[name]} of 100 in ${name} (${failed.join(", ")})`),
    ),
    ...(serverTime.ratio > MAX_RATIO
      ? [
          `A service's page takes ${serverTime.ratio} times as long as an empty route; ${MAX_RATIO} are its budget`,
        ]
      : []),
  ];
}
