import type { Subject } from "../load.ts";
import { Random } from "./data/random.ts";
import { type BenchRecord, recordAt } from "./data/records.ts";
import { isFunctionWord } from "./data/vocabulary.ts";

/** Path of the search. */
const SEARCH = "/api/search";

/** Number of different requests per query. The client sends them in turn. */
const REQUESTS = 500;

/** Draws one to three words from a record's name, publisher and description, as a user types them. */
function drawWords(random: Random, { metadata }: BenchRecord): string {
  const text = [metadata.name, metadata.publisher, metadata.description].join(" ").toLowerCase();
  const all = [...new Set(text.match(/[a-z]{3,}/g))].filter((word) => !isFunctionWord(word));
  const words = random.shuffled(all).slice(0, random.pick([1, 1, 2, 2, 3]));
  // In every fourth search, the last word is incomplete.
  const last = random.chance(0.25) ? words.pop() : undefined;
  return [
    ...words,
    ...(last ? [last.slice(0, random.between(Math.min(4, last.length), last.length))] : []),
  ].join(" ");
}

type Parameters = Record<string, string | number>;

/** Generators of search parameters that match a record. */
const parameters: Record<string, (random: Random, record: BenchRecord) => Parameters> = {
  "trait-interface": (random, { metadata, interfaces }) => ({
    traits: random.pick(metadata.traits),
    interface: interfaces,
  }),
  "traits-3-all": (random, { metadata }) => ({ traits: random.shuffled(metadata.traits).slice(0, 3).join() }),
  text: (random, record) => ({ q: drawWords(random, record) }),
  "text-trait": (random, record) => ({
    q: drawWords(random, record),
    traits: random.pick(record.metadata.traits),
  }),
};

/** Draws an Active record with three or more traits, uniformly. */
function drawRecord(random: Random, count: number): BenchRecord {
  for (;;) {
    const record = recordAt(random.between(0, count - 1));
    if (record.status === 0 && record.metadata.traits.length >= 3) return record;
  }
}

const query = (search: Parameters) =>
  `?${new URLSearchParams(Object.entries(search).map(([name, value]): [string, string] => [name, `${value}`]))}`;

/** Text in every response with results. */
const expected = ['{"results":[{'];

/**
 * Creates the searches to measure at a server with `count` records. Each search uses the data of a random record, so
 * that traits and words are as frequent as in the data and every search has results. Words that are all common find no
 * service, so such texts are left out.
 */
export async function makeSubjects(count: number, url: string): Promise<Subject[]> {
  const subjects: Subject[] = [];
  for (const [place, [name, make]] of Object.entries(parameters).entries()) {
    const random = new Random(11 + place);
    const paths: string[] = [];
    while (paths.length < REQUESTS) {
      const path = SEARCH + query(make(random, drawRecord(random, count)));
      if (!(await (await fetch(url + path)).text()).includes('"commonWords"')) paths.push(path);
    }
    subjects.push({ name, url, paths, expected });
  }
  return [
    ...subjects,
    { name: "newest", url, paths: [SEARCH], expected },
    { name: "deep", url, paths: [SEARCH + (await deepPage(url + SEARCH))], expected },
    { name: "empty route", url, paths: ["/api/health"], expected: ['{"status":"ok"'] },
  ];
}

/** Returns the searches that the bare server also answers, under names that begin with `bare`. */
export const listBareSubjects = (subjects: readonly Subject[], url: string): Subject[] =>
  subjects
    .filter(({ name }) => name in parameters)
    .map((subject) => ({ ...subject, name: `bare ${subject.name}`, url }));

/** Number of pages of 100 rows before the deep page. */
const DEPTH = 100;

/** Returns the request of the page after row 10,000, or of the last page of a smaller registry. */
async function deepPage(url: string): Promise<string> {
  let page = query({ limit: 100 });
  for (let depth = 0; depth < DEPTH; depth++) {
    const { nextCursor } = (await (await fetch(url + page)).json()) as { nextCursor: string | null };
    if (nextCursor === null) break;
    page = query({ cursor: nextCursor, ...(depth < DEPTH - 1 && { limit: 100 }) });
  }
  return page;
}
