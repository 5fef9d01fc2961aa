import { percentile } from "../results.ts";

/** How long this server takes for a service's page, beside a route and a page that read nothing, in milliseconds. */
export type ServerTime = {
  /** Registered services. */
  services: number;
  page_p50_ms: number;
  page_p95_ms: number;
  /** `/llms.txt`. */
  empty_p95_ms: number;
  /** `/control`: a page with the same frame. */
  empty_page_p95_ms: number;
  /** page_p95_ms by empty_p95_ms. */
  ratio: number;
};

const WARM_UP = 30;

/** Asks for each path in turn, one after another, and times the whole answer. */
async function times(origin: string, paths: readonly string[], requests: number): Promise<number[]> {
  const samples: number[] = [];
  for (let index = 0; index < requests + WARM_UP; index++) {
    const url = new URL(paths[index % paths.length] ?? "/", origin);
    const start = performance.now();
    const response = await fetch(url, { headers: { accept: "text/html" } });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`${url} answers ${response.status}`);
    if (index >= WARM_UP) samples.push(performance.now() - start);
  }
  return samples;
}

/** Measures pages of different services, so that most of them were not looked at a moment ago. */
export async function measureServerTime(
  origin: string,
  servicePaths: readonly string[],
  services: number,
  requests: number,
): Promise<ServerTime> {
  const empty = percentile(await times(origin, ["/llms.txt"], requests), 0.95);
  const emptyPage = percentile(await times(origin, ["/control"], requests), 0.95);
  const pages = await times(origin, servicePaths, requests);
  const p95 = percentile(pages, 0.95);
  const rounded = (value: number) => Math.round(value * 10) / 10;
  return {
    services,
    page_p50_ms: rounded(percentile(pages, 0.5)),
    page_p95_ms: rounded(p95),
    empty_p95_ms: rounded(empty),
    empty_page_p95_ms: rounded(emptyPage),
    ratio: rounded(p95 / empty),
  };
}
