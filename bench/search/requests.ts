import { Random } from "./data/random.ts";
import { type BenchRecord, recordAt } from "./data/records.ts";
import { FIRST_CONTENT_RANK, rankOf } from "./data/vocabulary.ts";

/** The names of what is measured, as they stand in the results. */
export const queryNames = [
  "floor",
  "trait-interface",
  "traits-3-all",
  "text",
  "text-trait",
  "newest",
  "deep",
] as const;

export type QueryName = (typeof queryNames)[number];

/** Different requests per query name; the client sends them in turn. */
const REQUESTS = 500;

/** Ranks of the vocabulary: below the first a word stands in one of twenty records or more, from the second on in few. */
const MID_RANK = 400;
const RARE_RANK = 6_000;

/** How commonly words of each kind are searched for. */
const searched = [
  { kind: "common", share: 0.15 },
  { kind: "mid", share: 0.5 },
  { kind: "rare", share: 0.35 },
] as const;

type Frequency = (typeof searched)[number]["kind"];

/** How common a word is; undefined for one of grammar. A coined name is rare. */
function frequencyOf(word: string): Frequency | undefined {
  const rank = rankOf(word) ?? RARE_RANK;
  if (rank < FIRST_CONTENT_RANK) return undefined;
  if (rank < MID_RANK) return "common";
  return rank < RARE_RANK ? "mid" : "rare";
}

/** One to three words out of a record's name, publisher and description, as a person types them. */
function drawText(random: Random, { versions }: BenchRecord): string {
  const metadata = versions.at(-1)?.metadata;
  const text = [metadata?.name, metadata?.publisher, metadata?.description].join(" ").toLowerCase();
  const all = [...new Set(text.match(/[a-z]{3,}/g))];
  const count = random.pick([1, 1, 2, 2, 3]);
  const chosen: string[] = [];
  while (chosen.length < count) {
    let left = random.unit();
    const wanted = searched.find(({ share }) => {
      left -= share;
      return left < 0;
    })?.kind;
    const candidates = all.filter((word) => frequencyOf(word) === wanted);
    if (candidates.length > 0) chosen.push(random.pick(candidates));
  }
  // Every fourth search is sent while its last word is still being typed.
  const last = chosen.at(-1) ?? "";
  if (random.chance(0.25) && last.length > 4) {
    chosen[chosen.length - 1] = last.slice(0, random.between(4, last.length - 1));
  }
  return chosen.join(" ");
}

/** A bit that is set in a bitmap of interfaces. */
const drawInterface = (random: Random, bitmap: number) =>
  random.pick([1, 2, 4].filter((bit) => (bitmap & bit) !== 0));

/** Makes the parameters of a search that the record answers. */
const parameters: Record<
  Exclude<QueryName, "floor" | "newest" | "deep">,
  (random: Random, record: BenchRecord) => Record<string, string | number>
> = {
  "trait-interface": (random, record) => ({
    traits: random.pick(traitsOf(record)),
    interface: drawInterface(random, record.interfaces),
  }),
  "traits-3-all": (random, record) => ({
    traits: random.shuffled(traitsOf(record)).slice(0, 3).join(","),
  }),
  text: (random, record) => ({ q: drawText(random, record) }),
  "text-trait": (random, record) => ({
    q: drawText(random, record),
    traits: random.pick(traitsOf(record)),
  }),
};

const traitsOf = ({ versions }: BenchRecord) => versions.at(-1)?.metadata.traits ?? [];

/** An Active record with three traits or more, any one as probable as another. */
function drawRecord(random: Random, count: number): BenchRecord {
  for (;;) {
    const record = recordAt(random.between(0, count - 1));
    if (record.status === 0 && traitsOf(record).length >= 3) return record;
  }
}

const searchPath = (search: Record<string, string | number>) =>
  `/api/search?${new URLSearchParams(Object.entries(search).map(([name, value]): [string, string] => [name, String(value)]))}`;

/**
 * The requests of each query name, of a seed of their own. A search is made of what one random record holds, so that
 * traits and words are searched for as often as the data has them, and every search finds something.
 */
export async function makeRequests(count: number, webUrl: string): Promise<Record<QueryName, string[]>> {
  const draw = (name: keyof typeof parameters, seed: number) => {
    const random = new Random(seed);
    return Array.from({ length: REQUESTS }, () =>
      searchPath(parameters[name](random, drawRecord(random, count))),
    );
  };
  return {
    floor: ["/api/health"],
    "trait-interface": draw("trait-interface", 11),
    "traits-3-all": draw("traits-3-all", 12),
    text: draw("text", 13),
    "text-trait": draw("text-trait", 14),
    newest: [searchPath({})],
    deep: await deepPages(webUrl),
  };
}

/** Rows before the deep page. */
const DEPTH = 10_000;

/** The requests of the pages behind row 9,991 to 10,000, or behind the last full pages of a smaller registry. */
async function deepPages(webUrl: string): Promise<string[]> {
  let cursors: string[] = [];
  let cursor: string | undefined;
  for (let rows = 0; rows < DEPTH; ) {
    const limit = rows < DEPTH - 100 ? 100 : 10;
    const response = await fetch(`${webUrl}${searchPath({ limit, ...(cursor && { cursor }) })}`);
    const page = (await response.json()) as { results: unknown[]; nextCursor: string | null };
    rows += page.results.length;
    if (page.nextCursor === null) break;
    cursor = page.nextCursor;
    cursors = [...cursors, cursor].slice(-10);
  }
  return cursors.map((position) => searchPath({ cursor: position }));
}
