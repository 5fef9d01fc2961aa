import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { closedLoop, percentile } from "../../scripts/bench/search/measure/closedLoop.ts";
import { measureSearch, type SearchFigure } from "../../scripts/bench/search/measure/measureSearch.ts";
import { makeRequests, queryNames } from "../../scripts/bench/search/measure/queries.ts";
import { comparisonsOf, formatResults, isMet } from "../../scripts/bench/search/report.ts";

const page = { results: [{ did: "did:web:a.example" }], nextCursor: null, source: "index", block: 3 };
const health = { status: "ok" };

/** Serves `answer` on a port of its own while `use` runs. */
async function withServer(
  answer: (path: string) => { status?: number; body: unknown },
  use: (url: string, mostAtOnce: () => number) => Promise<void>,
): Promise<void> {
  let [now, most] = [0, 0];
  const server = createServer((request, response) => {
    most = Math.max(most, ++now);
    const { status = 200, body } = answer(request.url ?? "");
    setTimeout(() => {
      now--;
      response.statusCode = status;
      response.end(JSON.stringify(body));
    }, 2);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, () => most);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const answerAll = (path: string) => ({ body: path === "/api/health" ? health : page });

describe("the measurement of the search benchmark", () => {
  it("keeps every connection busy, with one request each", async () => {
    await withServer(answerAll, async (url, mostAtOnce) => {
      const checked: string[] = [];
      const { latencies } = await closedLoop({
        url,
        paths: ["/a", "/b", "/c"],
        connections: 4,
        milliseconds: 100,
        check: (_status, _body, path) => checked.push(path),
      });
      expect(mostAtOnce()).to.equal(4);
      expect(latencies.length).to.equal(checked.length);
      expect(new Set(checked)).to.deep.equal(new Set(["/a", "/b", "/c"]));
    });
  });

  it("takes percentiles by nearest rank", () => {
    const samples = Array.from({ length: 100 }, (_, index) => index + 1);
    expect([0.5, 0.95, 0.99, 1].map((share) => percentile(samples, share))).to.deep.equal([50, 95, 99, 100]);
    expect(percentile([7], 0.95)).to.equal(7);
    expect(() => percentile([], 0.5)).to.throw("no samples");
  });

  it("gives a figure for every query name and number of connections", async () => {
    await withServer(answerAll, async (url) => {
      const requests = await makeRequests(200, url);
      const figures = await measureSearch({ url, requests, connections: [1, 2], seconds: 0.1 });
      expect(figures.map(({ query, connections }) => `${query} ${connections}`)).to.have.members(
        queryNames.flatMap((query) => [`${query} 1`, `${query} 2`]),
      );
      for (const { p50_ms, p95_ms, p99_ms, rps } of figures) {
        expect(p50_ms).to.be.above(0);
        expect(p95_ms).to.be.at.least(p50_ms);
        expect(p99_ms).to.be.at.least(p95_ms);
        expect(rps).to.be.above(0);
      }
    });
  });

  const wrong = {
    "an error": { status: 503, body: page },
    "a page without results": { body: { ...page, results: [] } },
    "an answer from the chain": { body: { ...page, source: "chain" } },
  };
  for (const [what, answer] of Object.entries(wrong)) {
    it(`does not measure ${what}`, async () => {
      let measuring = false;
      const answers = (path: string) => (measuring && path !== "/api/health" ? answer : answerAll(path));
      await withServer(answers, async (url) => {
        const requests = await makeRequests(200, url);
        measuring = true;
        const said: string[] = [];
        const figures = await measureSearch({
          url,
          requests,
          connections: [1],
          seconds: 0.1,
          onProgress: (message) => said.push(message),
        });
        expect(figures.map(({ query }) => query)).to.deep.equal(["floor"]);
        expect(said.join("\n")).to.match(/^newest at 1 is not measured: \/api\/search\?.* answered/m);
      });
    });
  }

  it("draws every request anew but the same in every run, and finds traits and words as the data has them", async () => {
    await withServer(answerAll, async (url) => {
      const requests = await makeRequests(2_000, url);
      expect(await makeRequests(2_000, url)).to.deep.equal(requests);
      const parameters = (path: string) => new URLSearchParams(path.split("?")[1]);
      for (const path of requests["traits-3-all"]) {
        expect(parameters(path).get("traits")?.split(",")).to.have.length(3);
      }
      for (const path of requests["trait-interface"]) {
        expect(parameters(path).get("interface")).to.match(/^[124]$/);
      }
      expect(new Set(requests.text).size).to.be.above(450);
      for (const path of requests["text-trait"]) {
        expect(parameters(path).get("q")).to.match(/^[a-z]{3,}( [a-z]{3,}){0,2}$/);
        expect(parameters(path).get("traits")).to.not.equal(null);
      }
    });
  });
});

const figure = (backend: string, N: number, query: SearchFigure["query"], p95: number): SearchFigure => ({
  backend,
  N,
  query,
  connections: 16,
  p50_ms: p95 / 2,
  p95_ms: p95,
  p99_ms: p95 * 2,
  rps: 100,
});

describe("the report of the search benchmark", () => {
  const results = {
    figures: [
      figure("postgres", 100_000, "floor", 10),
      figure("postgres", 100_000, "trait-interface", 30),
      figure("postgres", 100_000, "text", 61),
      figure("postgres", 1_000_000, "text", 180),
      figure("pglite", 100_000, "floor", 10),
      figure("pglite", 100_000, "traits-3-all", 61),
    ],
    indexerMemory: { resident: 2 ** 30, peak: 2 ** 31 },
    reference: { records: 1_000, index_ms: 4, chain_ms: 4_000, chain_16_ms: 2_000 },
  };

  it("holds what was measured to its targets, and says nothing of what was not", () => {
    const judged = comparisonsOf(results).map((line) => [
      line.name,
      Math.round(line.value * 100) / 100,
      isMet(line),
    ]);
    expect(judged).to.deep.equal([
      ["postgres 100,000 trait-interface : postgres 100,000 floor", 3, true],
      ["postgres 100,000 text : postgres 100,000 floor", 6.1, false],
      ["postgres 1,000,000 text : postgres 100,000 text", 2.95, true],
      ["pglite 100,000 traits-3-all : pglite 100,000 floor", 6.1, false],
      ["pglite 100,000 memory of the indexer, searched", 1024, true],
      ["pglite 100,000 memory of the indexer, peak", 2048, false],
    ]);
  });

  it("prints tables of the figures, the ratios and the chain's way", () => {
    const text = formatResults(results);
    expect(text).to.contain("| pglite | 100,000 | 16 | 5 / 10 |");
    expect(text).to.contain(
      "| postgres 100,000 text : postgres 100,000 floor | 6.1 times | 6 times | missed |",
    );
    expect(text).to.contain(
      "| paging the chain and asking each app, one call after the other | 4,000 | 1,000 |",
    );
  });
});
