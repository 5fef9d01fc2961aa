import { getEndpoints } from "@app-registry/sdk";
import type { Subject } from "../load.ts";
import { type BenchRecord, Random, recordAt } from "../records.ts";
import { isOffchain } from "./database.ts";

const SEARCH = "/api/search";
/** Number of different requests per kind. The client sends them in turn. */
const REQUESTS = 500;

/** Draws one to three words of a record's description, the last one sometimes incomplete, as a user types them. */
function drawWords(random: Random, { metadata }: BenchRecord): string {
  const all = `${metadata.description}`.split(" ").filter((word) => word.length > 3);
  const words = Array.from({ length: random.pick([1, 1, 2, 2, 3]) }, () => random.pick(all)).join(" ");
  return random.unit() < 0.25 ? words.slice(0, -1) : words;
}

/** Generators of search parameters that match a record. */
const parameters: Record<string, (random: Random, record: BenchRecord) => Record<string, string>> = {
  "trait-interface": (random, { metadata, interfaces }) => ({
    ...{ traits: random.pick(metadata.traits), interface: String(interfaces) },
  }),
  "traits-3-all": (_, { metadata }) => ({ traits: metadata.traits.slice(0, 3).join() }),
  text: (random, record) => ({ q: drawWords(random, record) }),
  "text-trait": (random, record) => ({
    ...{ q: drawWords(random, record), traits: random.pick(record.metadata.traits) },
  }),
};

/**
 * Creates the searches to measure at a server with `count` records. Each uses the data of a random Active record, so
 * that traits and words are as frequent as in the data and every search has results. Words that are all common find no
 * service, so such texts are left out.
 */
export async function makeSubjects(count: number, url: string): Promise<Subject[]> {
  const expected = '{"results":[{';
  const subjects: Subject[] = [];
  for (const [place, [name, make]] of Object.entries(parameters).entries()) {
    const random = new Random(place);
    const paths: string[] = [];
    while (paths.length < REQUESTS) {
      const index = Math.floor(random.unit() * count);
      if (isOffchain(index)) continue;
      const record = recordAt(index);
      if (record.status !== 0 || record.metadata.traits.length < 3) continue;
      const path = `${SEARCH}?${new URLSearchParams(make(random, record))}`;
      if (!(await (await fetch(url + path)).text()).includes('"commonWords"')) paths.push(path);
    }
    subjects.push({ name, url, paths, expected });
  }
  const random = new Random(subjects.length);
  const lookups = Array.from({ length: REQUESTS }, () => {
    const { metadata } = recordAt(Math.floor(random.unit() * count));
    return `/api/lookup?${new URLSearchParams({ subject: getEndpoints(metadata)[0]?.endpoint ?? `${metadata.external_url}` })}`;
  });
  return [
    ...subjects,
    { name: "lookup", url, paths: lookups, expected: '{"subject":{"kind":"url"' },
    { name: "newest", url, paths: [SEARCH], expected },
    { name: "empty route", url, paths: ["/api/health"], expected: '{"status":"ok"' },
  ];
}

/** Returns the searches that the bare server also answers, under names that begin with `bare`. */
export const listBareSubjects = (subjects: readonly Subject[], url: string): Subject[] =>
  subjects
    .filter(({ name }) => name in parameters)
    .map((subject) => ({ ...subject, name: `bare ${subject.name}`, url }));
