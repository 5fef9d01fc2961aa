import type { Audit } from "../../apps/web/bench/audit.ts";
import type { Figure } from "../load.ts";
import { formatNumber, markdownTable } from "../results.ts";

/** Results of a run. */
export interface WebResults {
  services: number;
  audits: (Audit & { page: string })[];
  /** Times of the web process. */
  serverTimes: Figure[];
  /** Current and peak memory of the web process after the requests, in bytes. */
  memory: { resident: number; peak: number };
}

const sizes = ["html", "js", "css", "font", "image", "requests"] as const;
/** Lighthouse's scores that have a lower limit. */
export const scores = ["accessibility", "best-practices", "seo"] as const;
const figures = [...sizes, ...scores, "performance"] as const;

/** Formats the table of first loads, in kB, with Lighthouse's scores. */
export const formatAudits = (audits: WebResults["audits"]) =>
  markdownTable(
    ["Page", ...figures.map((name) => `${name}:`)],
    audits.map((audit) => [`\`${audit.page}\``, ...figures.map((name) => formatNumber(audit[name]))]),
  );

/** Formats the table of the server's times. */
export const formatServerTimes = ({ serverTimes, memory }: Pick<WebResults, "serverTimes" | "memory">) => {
  const rows = serverTimes.map(({ name, p50_ms, p95_ms, cpu_ms: { web: cpu = 0 } }) => [
    `\`${name}\``,
    ...[p50_ms, p95_ms, cpu, 1_000 / cpu].map(formatNumber),
  ]);
  const head = ["One connection", "p50, ms:", "p95, ms:", "CPU of web, ms:", "Per second and core:"];
  const [resident, peak] = [memory.resident, memory.peak].map((bytes) => formatNumber(bytes / 2 ** 20));
  return `${markdownTable(head, rows)}\n\nAfter these requests, the web process uses ${resident} MiB of memory (at most ${peak}).`;
};
