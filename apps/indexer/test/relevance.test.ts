import { functionWords } from "@app-registry/index/search/interpretQuery";
import type { SearchQueryInput } from "@app-registry/sdk";
import { sql } from "drizzle-orm";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { collectAllPages } from "./harness/collectAllPages.ts";
import { analyze, appRow, attest, db, explain, fill } from "./harness/database.ts";
import { listIds, searchPage } from "./harness/searchPage.ts";

type Row = Parameters<typeof appRow>[1] & object;

const account = (number: number) => `0x${number.toString(16).padStart(40, "0")}` as const;

/** Returns a record with its own controller, unless the row names one. */
const record = (tokenId: number, row: Row) =>
  appRow(BigInt(tokenId), { owner: account(tokenId), minter: account(tokenId), ...row });

describe("a service whose name others copy", () => {
  const GENUINE = 5_000;
  const genuine = record(GENUINE, { did: "did:web:acme.example.org", name: "Acme Pay", text: "Payments" });
  const stuffed = { name: "Acme Pay", text: "Acme Pay, the Acme Pay of Acme: pay Acme" };
  const attacks: Record<string, (index: number) => Row> = {
    "1,000 records of one host": (index) => ({
      did: `did:web:spam.com:${index}`,
      owner: account(1),
      minter: account(1),
    }),
    "1,000 records of one host, each of a wallet of its own": (index) => ({
      did: `did:web:spam.com:${index}`,
    }),
    "1,000 subdomains of one site": (index) => ({ did: `did:web:s${index}.spam.com` }),
    "1,000 contracts of 1,000 wallets": (index) => ({ did: `did:pkh:eip155:1:${account(index + 9)}` }),
  };

  // Candidates of equal rank are read oldest first, so older copies are the danger.
  it.each([
    ...Object.entries(attacks).map(([name, attack]) => [name, "older", 1, attack] as const),
    ...Object.entries(attacks)
      .slice(0, 1)
      .map(([name, attack]) => [name, "younger", GENUINE + 1, attack] as const),
  ])(
    "stays among the first three results with %s, if the copies are %s",
    async (_name, _age, first, attack) => {
      const spam = Array.from({ length: 1_000 }, (_, index) =>
        record(first + index, { ...stuffed, ...attack(index) }),
      );
      await fill([genuine, ...spam]);
      await analyze();
      for (const q of ["Acme Pay", "acme-pay", "ACME PAY"]) {
        expect((await listIds({ q })).slice(0, 3)).toContain(String(GENUINE));
      }
      const met = await collectAllPages({ q: "Acme Pay", limit: 100 });
      expect(new Set(met.map(({ tokenId }) => tokenId)).size).toBe(1_001);
      expect(met).toHaveLength(1_001);
    },
  );
});

describe("functionWords", () => {
  it("contains the stop words of PostgreSQL's English dictionary", async () => {
    const others = "weather go get use find one new way make without need want".split(" ");
    const words = [...functionWords, ...others];
    const { rows } = await db.execute<{ word: string }>(sql`
      select word from unnest(string_to_array(${words.join(" ")}, ' ')) as word where ts_lexize('english_stem', word) = '{}'`);
    expect(rows.map(({ word }) => word).sort()).toEqual([...functionWords].sort());
  });
});

describe("lexeme prefixes", () => {
  it("match no query", async () => {
    await fill([
      record(1, { did: "did:web:a.example", name: "Zebra", traits: ["striped"] }),
      record(2, { did: "did:web:b.example", name: "Noon Tide", traits: ["sea"] }),
    ]);
    expect(await listIds({ q: "n" })).toEqual(["2"]);
    expect(await listIds({ q: "nz" })).toEqual([]);
    expect(await listIds({ q: "tide" })).toEqual(["2"]);
    expect(await listIds({ q: "nnoon" })).toEqual(["2"]);
  });
});

describe("the first ten results", () => {
  const of = (count: number, from: number, row: (index: number) => Row) =>
    Array.from({ length: count }, (_, index) =>
      record(from + index, { name: `Rain ${index}`, ...row(index) }),
    );

  it("contain at most three of a host, a site and a controller, and the others follow", async () => {
    await fill([
      ...of(10, 1, (index) => ({ did: `did:web:one.com:${index}` })),
      ...of(10, 11, (index) => ({ did: `did:web:s${index}.two.com` })),
      ...of(10, 21, (index) => ({ did: `did:web:c${index}.com`, owner: account(7) })),
      ...of(10, 31, (index) => ({ did: `did:web:d${index}.com` })),
    ]);
    const ids = (await listIds({ q: "rain", limit: 40 })).map(Number);
    const among = (from: number) => ids.slice(0, 10).filter((id) => id >= from && id < from + 10).length;
    expect([1, 11, 21].map(among)).toEqual([3, 3, 3]);
    expect(new Set(ids).size).toBe(40);
    const paged = (await collectAllPages({ q: "rain", limit: 3 })).map(({ tokenId }) => Number(tokenId));
    expect(paged).toEqual(ids);
  });

  it("may all be of one host or controller if the search names it", async () => {
    await fill([
      ...of(10, 1, (index) => ({ did: `did:web:one.com:${index}`, owner: account(7) })),
      ...of(10, 11, (index) => ({ did: `did:web:d${index}.com` })),
    ]);
    for (const query of [
      { q: "rain", owner: account(7) },
      { q: "rain", under: "did:web:one.com" },
    ]) {
      expect(await listIds(query)).toHaveLength(10);
    }
  });
});

let later = 0;

/** Updates the statistics of words, also those that an earlier search read. */
async function renewStatistics() {
  await analyze();
  later += 600_000;
  const now = performance.now() + later;
  vi.spyOn(performance, "now").mockReturnValue(now);
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe("a search for a name with other words around it", () => {
  beforeAll(async () => {
    const others = Array.from({ length: 400 }, (_, index) =>
      record(index + 1, {
        name: `Service ${index}`,
        text: "developer api with a key, and docs of the server",
      }),
    );
    await fill([...others, record(1_000, { name: "Quillmark", text: "Ink by post" })]);
    await renewStatistics();
  });

  it.each([
    "quillmark developer api key",
    "quillmark api docs server",
    "how do i use the quillmark api with a key",
    "please let my agent use quillmark as a developer",
  ])("lists the service of that name first for %j, however many records have the other words", async (q) => {
    expect((await listIds({ q }))[0]).toBe("1000");
    const paged = (await collectAllPages({ q, limit: 50 })).map(({ tokenId }) => tokenId);
    expect(new Set(paged).size).toBe(paged.length);
    expect(await listIds({ q, sort: "newest", limit: 1 })).toEqual(["1000"]);
  });

  it("finds nothing if no record has the name, because common words find anything", async () => {
    const page = await searchPage({ q: "origami api server" });
    expect([page.results, page.matchedWords]).toEqual([[], []]);
    expect(await listIds({ q: "origami quillmark server" })).toContain("1000");
    expect(page.commonWords).toEqual(["api", "server"]);
  });
});

describe("a search for common words alone", () => {
  const fillCommon = async (name = "Tool Access") => {
    const others = Array.from({ length: 400 }, (_, index) =>
      record(index + 1, {
        name: `${index % 15 === 0 ? "Travel" : "Service"} ${index}`,
        text: `api of a server ${index % 15 === 1 ? "with access to its tool" : ""}`,
      }),
    );
    const named = record(1_000, { name, text: "Opens doors" });
    await fill([...others, named, record(1_001, { name: "Quillmark", text: "api server access tool" })]);
    await renewStatistics();
  };

  beforeAll(() => fillCommon());

  it.each([
    ["please find me the best api server to use", ["please", "best", "api", "server", "use"]],
    ["i need a tool with api access", ["need", "tool", "api", "access"]],
    ["api server", ["api", "server"]],
  ])("finds nothing for %j and names the words", async (q, commonWords) => {
    for (const sort of ["relevance", "newest"] as const) {
      const page = await searchPage({ q, sort, facets: true });
      expect(page).toMatchObject({ results: [], nextCursor: null, matchedWords: [], commonWords });
      expect(page.total).toEqual({ count: 0, exact: true });
    }
  });

  it.each(["api", "tool access", "travel api", "quillmark api server", "find me a travel tool"])(
    "is not assumed for %j, which has one word, a topic or a possible name",
    async (q) => {
      const page = await searchPage({ q });
      expect(page.results).not.toEqual([]);
      expect(page).not.toHaveProperty("commonWords");
    },
  );

  it("lists a service of exactly that name", async () => {
    await fillCommon("Api Server");
    const page = await searchPage({ q: "api server" });
    expect(page.results.map(({ tokenId }) => tokenId)).toEqual(["1000"]);
    expect(page.commonWords).toEqual(["api", "server"]);
  });
});

describe("a word of a request", () => {
  it("has less weight than any other word", async () => {
    await fill([
      record(1, { name: "Want", text: "let us know what you want, we need and welcome it, please" }),
      record(2, { name: "Harbour", text: "A ledger of ships" }),
    ]);
    await renewStatistics();
    expect((await listIds({ q: "please let me know, I want and need a ledger" }))[0]).toBe("2");
    expect(await listIds({ q: "want" })).toEqual(["1"]);
  });
});

describe("a search for a word of many records", () => {
  it("lists records without missing evidence before others", async () => {
    const lacking = Array.from({ length: 300 }, (_, index) =>
      record(index + 1, { name: "Portal", text: "weather", unproven: 2 }),
    );
    const proven = record(1_000, { name: "Portal", text: "weather" });
    await fill([...lacking, proven]);
    await attest(proven);
    expect((await listIds({ q: "weather" }))[0]).toBe("1000");
  });
});

describe("a search by words", () => {
  const rows = [
    { name: "PayPal", text: "Take payments" },
    { name: "Sea atlas", text: "Databases of tides" },
    { name: "Погода", text: "Прогноз погоды" },
    { name: "天気予報", text: "明日の天気" },
    { name: "The Who", text: "A band" },
    { name: "Image generator", text: "Makes pictures" },
  ];
  const named = async (input: SearchQueryInput) => {
    await fill(rows.map((row, index) => record(index + 1, row)));
    await analyze();
    const page = await searchPage(input);
    return { ...page, names: page.results.map(({ name }) => name) };
  };

  it.each([
    ["pay-pal", "PayPal"],
    ["pay pal", "PayPal"],
    ["paypal", "PayPal"],
    ["payp", "PayPal"],
    ["PAYMENT", "PayPal"],
    ["database", "Sea atlas"],
    ["tide", "Sea atlas"],
    ["how do I take a payment", "PayPal"],
    ["погоды", "Погода"],
    ["天気", "天気予報"],
    ["報", "天気予報"],
    ["the who", "The Who"],
    ["generating images", "Image generator"],
  ])("finds for %j: %s", async (q, name) => {
    const { names, corrected } = await named({ q });
    expect(names[0]).toBe(name);
    expect(corrected).toEqual([]);
  });

  it("corrects a word to one of the index, and reports the correction", async () => {
    const page = await named({ q: "databasess atlas" });
    expect(page.names).toEqual(["Sea atlas"]);
    expect(page.matchedWords).toEqual(["databases", "atlas"]);
    expect(page.corrected).toEqual([{ from: "databasess", to: "databases" }]);
  });

  it.each(["shell", "tales", "imagine"])("does not correct %j, which is an English word", async (q) => {
    await fill(["Sell", "Tables", "Image"].map((name, index) => record(index + 1, { name })));
    const { results, corrected } = await searchPage({ q });
    expect([results, corrected]).toEqual([[], []]);
  });

  it("corrects at most three words, because each needs hundreds of index lookups", async () => {
    await named({ q: "atlas" });
    const q = "databasess atlsa tidess paymentts picturess generatorr paypall imagge";
    const loops = (await explain(() => searchPage({ q }))).flatMap((plan) =>
      [...plan.matchAll(/loops=(\d+)/g)].map(([, count]) => Number(count)),
    );
    expect(Math.max(...loops)).toBeGreaterThan(1_000);
    expect(Math.max(...loops)).toBeLessThan(2_000);
    const { corrected, names } = await named({ q });
    expect(corrected?.map(({ to }) => to)).toEqual(["databases", "atlas", "tides"]);
    expect(names[0]).toBe("Sea atlas");
  });

  it("matches most of the words if no record contains all of them", async () => {
    const page = await named({ q: "atlas of tides with pictures and zebras" });
    expect(page.names[0]).toBe("Sea atlas");
    expect(page.matchedWords).toEqual(["atlas", "tides", "pictures"]);
  });

  it.each(["zebra", "!!!"])("finds no record for %j, which resembles no word of the index", async (q) => {
    const { results, matchedWords } = await named({ q });
    expect([results, matchedWords]).toEqual([[], []]);
  });
});
