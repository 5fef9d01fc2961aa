import { app } from "ponder:schema";
import { recordLabels } from "@app-registry/index/document/recordLabels";
import { type SearchQueryInput, traitHash } from "@app-registry/sdk";
import { eq } from "ponder";
import { beforeAll, describe, expect, it } from "vitest";
import { collectAllPages } from "./harness/collectAllPages.ts";
import { appRow, db, documentLabels, fill, label } from "./harness/database.ts";
import { listIds, searchPage } from "./harness/searchPage.ts";

const NAMES = ["Weather", "Weather atlas", "Sky", "Café", "Travel weather", "Atlas", "Zoo", "weather"];
const services = Array.from({ length: 600 }, (_, index) => ({
  tokenId: BigInt(index + 1),
  name: `${NAMES[index % NAMES.length]}${index < 8 ? "" : ` ${index}`}`,
  text: index % 3 === 0 ? "weather for sailors" : "nothing of note",
  traits: index % 5 === 0 ? ["sea"] : ["land"],
}));

const createDocument = ({ name, text, traits }: (typeof services)[number]) =>
  documentLabels({ name, text, traits, description: text });

/** Returns the record of a service, labelled with its JSON on the chain or without one. */
function getRow(service: (typeof services)[number], isOnChain: boolean) {
  const traitHashes = service.traits.map(traitHash);
  const row = appRow(service.tokenId, { traitHashes });
  const labels = recordLabels({ did: row.did, traitHashes }, isOnChain ? createDocument(service) : null);
  return { ...row, ...labels, pointer: isOnChain ? row.pointer : null };
}

const queries: SearchQueryInput[] = [
  { q: "weather" },
  { q: "weather", traits: "sea" },
  { q: "cafe" },
  { q: "Weather atlas" },
  { q: "sailors", sort: "newest" },
  { q: "wea", sort: "name" },
  { sort: "name" },
  { sort: "name", traits: "sea" },
  { q: "service", sort: "updated" },
  { q: "did:web:service-7.test" },
  { updatedSince: 0, q: "sky" },
];

describe("records labelled by a document at their dataUrl", () => {
  const answers = new Map<string, unknown>();
  const run = async (input: SearchQueryInput) => {
    const followed = await collectAllPages({ ...input, limit: 37 });
    const { total, facets } = await searchPage({ ...input, facets: true, limit: 1 });
    return {
      ...{ total, interfaces: facets?.interfaces },
      found: followed.map(({ tokenId, name, traits }) => `${tokenId} ${name} ${traits}`),
    };
  };

  beforeAll(async () => {
    await fill(services.map((service) => getRow(service, true)));
    for (const query of queries) answers.set(JSON.stringify(query), await run(query));
    await fill(services.map((service) => getRow(service, service.tokenId % 2n === 0n)));
    for (const service of services.filter(({ tokenId }) => tokenId % 2n === 1n)) {
      await label(getRow(service, false), createDocument(service));
    }
  });

  it.each(queries.map((query) => [JSON.stringify(query), query] as const))(
    "are found by %s in the same order as records with JSON on the chain",
    async (name, query) => {
      expect(await run(query)).toEqual(answers.get(name));
    },
  );

  it("are no longer found by their labels after a change of dataHash or traits", async () => {
    const find = () => listIds({ q: "Travel weather" });
    expect(await find()).toContain("5");
    const [service] = services.filter(({ tokenId }) => tokenId === 5n);
    if (!service) throw new Error("no service");
    const row = getRow(service, false);
    for (const change of [
      { dataHash: `0x${"ab".repeat(32)}` as const },
      { traitHashes: [traitHash("other")] },
    ]) {
      await db.delete(app).where(eq(app.tokenId, 5n));
      await db.insert(app).values({ ...row, ...change });
      expect(await find()).not.toContain("5");
      const { results } = await searchPage({ under: row.did });
      expect(results).toMatchObject([{ traits: [], document: { source: null, state: "pending" } }]);
    }
    await db.delete(app).where(eq(app.tokenId, 5n));
    await db.insert(app).values(row);
    expect(await find()).toContain("5");
  });
});
