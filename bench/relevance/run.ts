import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { rootDirectory } from "../../scripts/stack/processes.ts";
import { markdownTable, writeResults } from "../results.ts";
import { type CorpusDocument, startEngine } from "./engine.ts";

/**
 * `pnpm bench:relevance`: Measures the ranking of searches with judged queries over descriptions of services.
 * Writes bench/results/relevance.json with rows `{kind, n, mrr, p5}`, where kind is `all` (every kind except `language`)
 * or one kind.
 *
 *   --corpus ../descriptions   folder with documents.json and queries.json; default bench/relevance/corpus
 *
 * MRR is the mean of 1 / rank of the first relevant result, 0 beyond the tenth. P@5 is the share of relevant results
 * among the first five, or among as many as there are relevant ones if these are fewer. Both are 1 for a search that
 * finds nothing if nothing is relevant.
 */
const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== "--"),
  options: { corpus: { type: "string" } },
});

interface Judged {
  q: string;
  kind: string;
  relevant: string[];
}

/** Kind that `all` excludes, because a search can't translate words. */
const REPORTED_ONLY = "language";

const corpus =
  values.corpus === undefined ? join(rootDirectory, "bench/relevance/corpus") : resolve(values.corpus);
const readCorpus = async <Content>(name: string) =>
  JSON.parse(await readFile(join(corpus, name), "utf8")) as Content;

const documents = await readCorpus<CorpusDocument[]>("documents.json");
const queries = await readCorpus<Judged[]>("queries.json");

function judge(found: readonly string[], relevant: ReadonlySet<string>): { mrr: number; p5: number } {
  if (relevant.size === 0) return found.length === 0 ? { mrr: 1, p5: 1 } : { mrr: 0, p5: 0 };
  const first = found.slice(0, 10).findIndex((did) => relevant.has(did));
  const hits = found.slice(0, 5).filter((did) => relevant.has(did)).length;
  return { mrr: first < 0 ? 0 : 1 / (first + 1), p5: hits / Math.min(5, relevant.size) };
}

const mean = (numbers: readonly number[]) =>
  Math.round((1_000 * numbers.reduce((sum, number) => sum + number, 0)) / numbers.length) / 1_000;

const search = await startEngine(documents);
const scores: { kind: string; mrr: number; p5: number }[] = [];
for (const { q, kind, relevant } of queries) {
  scores.push({ kind, ...judge(await search(q), new Set(relevant)) });
}

const rows = ["all", ...new Set(queries.map(({ kind }) => kind))].map((kind) => {
  const judged = scores.filter((score) =>
    kind === "all" ? score.kind !== REPORTED_ONLY : score.kind === kind,
  );
  const [mrr, p5] = [mean(judged.map((score) => score.mrr)), mean(judged.map((score) => score.p5))];
  return { kind, n: judged.length, mrr, p5 };
});
await writeResults("relevance", rows);
console.log(markdownTable(["Kind", "n:", "MRR:", "P@5:"], rows.map(Object.values)));
process.exit();
