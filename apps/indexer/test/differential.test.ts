import {
  type AppRegistryClient,
  isCanonicalDid,
  parseSearchQuery,
  type SearchPage,
  type SearchQueryInput,
  searchChain,
} from "@app-registry/sdk";
import { search } from "@app-registry/test-kit/indexReads";
import {
  type Chain,
  type Indexer,
  startChain,
  startIndexer,
  stopAll,
} from "@app-registry/test-kit/startIndexer";
import { testSeed } from "@app-registry/test-kit/testSeed";
import fc from "fast-check";
import type { Address } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { localAccount } from "../../../scripts/stack/accounts.ts";
import { createClient, getIssuer, mined, publication } from "./harness/registry.ts";

/** Seed of the records and queries, which makes failures reproducible. */
const SEED = testSeed(20_260);
/** Number of searches. Each reads the whole registry from the chain. */
const QUERIES = process.env.TEST_LONG ? 200 : 60;
const DIDS = 40;

const accounts = [1, 2, 3].map(localAccount);
const holders = accounts.map(({ address }) => address);
const traits = ["api:rest", "api:mcp", "weather", "maps", "food", "x402"];
const hosts = ["alpha.test", "alpha.test:team", "alphabet.test", "beta.test", "beta.test%3A8443"];

const someTraits = fc.uniqueArray(fc.constantFrom(...traits), { maxLength: 4 });
const interfaces = fc.integer({ min: 1, max: 7 });

type Service = { did: string; major: number; publisher: number; interfaces: number; traits: string[] };

/** Changes of a record after its mint. */
type Fate = { status: 0 | 1 | 2; newTraits: string[] | null; widen: number; holder: number };

/** Generator of a DID's first and, in some cases, second major version. */
const services: fc.Arbitrary<(Service & Fate)[]> = fc
  .array(
    fc.record({
      host: fc.constantFrom(...hosts),
      publisher: fc.nat({ max: accounts.length - 1 }),
      firstMajor: fc.integer({ min: 0, max: 2 }),
      majors: fc.array(
        fc.record({
          interfaces,
          traits: someTraits,
          status: fc.constantFrom<0 | 1 | 2>(0, 0, 0, 1, 2),
          newTraits: fc.option(someTraits),
          widen: fc.integer({ min: 0, max: 7 }),
          holder: fc.nat({ max: accounts.length * 2 }),
        }),
        { minLength: 1, maxLength: 2 },
      ),
    }),
    { minLength: DIDS, maxLength: DIDS },
  )
  .map((dids) =>
    dids.flatMap(({ host, publisher, firstMajor, majors }, index) =>
      majors.map((record, step) => ({
        ...{
          did: `did:web:${host.includes(":") ? host : `n${index}.${host}`}${host.includes(":") ? index : ""}`,
        },
        ...{ publisher, major: firstMajor + step },
        ...record,
      })),
    ),
  );

/** Makes a filter that one search in three uses. */
const sometimes = <Value>(value: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });

const query: fc.Arbitrary<SearchQueryInput> = fc
  .record({
    traits: sometimes(
      fc.uniqueArray(fc.constantFrom(...traits, "nobody-has-it"), { minLength: 1, maxLength: 3 }),
    ),
    match: sometimes(fc.constantFrom("all", "any")),
    interface: sometimes(interfaces),
    status: fc.constantFrom(undefined, "active", "deprecated", "replaced", "any"),
    owner: sometimes(fc.constantFrom<Address>(...holders, localAccount(9).address)),
    minter: sometimes(fc.constantFrom<Address>(...holders, localAccount(9).address)),
    minVersion: sometimes(fc.constantFrom("0.0.1", "1.0.0", "1.1.0", "2.0.0", "3.5.0")),
  })
  .map((fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)));

describe("the index and the chain", () => {
  let chain: Chain;
  let indexer: Indexer;
  let reader: AppRegistryClient;
  let dids: string[];

  beforeAll(async () => {
    chain = await startChain();
    const [generated = []] = fc.sample(services, { seed: SEED, numRuns: 1 });
    dids = [...new Set(generated.map(({ did }) => did))];
    await registerAll(chain, generated);
    reader = createClient(chain, accounts[0] as (typeof accounts)[0]);
    indexer = await startIndexer(chain);
  });

  afterAll(() => stopAll(chain));

  /** Follows pages of varying size and returns the token ids. Each must occur once. */
  async function all(
    read: (query: SearchQueryInput) => Promise<SearchPage>,
    limits: number[],
    input: SearchQueryInput,
  ) {
    const ids: string[] = [];
    let cursor: string | null = null;
    for (let page = 0; page === 0 || cursor !== null; page++) {
      const limit = limits[page % limits.length] ?? 20;
      const answer = await read({ ...input, limit, ...(cursor && { cursor }) });
      expect(answer.results.length).toBeLessThanOrEqual(limit);
      ids.push(...answer.results.map(({ tokenId }) => tokenId));
      cursor = answer.nextCursor;
    }
    expect(new Set(ids).size).toBe(ids.length);
    return ids.sort();
  }

  it(`find the same records by ${QUERIES} random searches, page by page (seed ${SEED})`, async () => {
    const byDid = fc.oneof(
      { weight: 8, arbitrary: fc.constant({}) },
      { weight: 1, arbitrary: fc.record({ did: fc.constantFrom(...dids, "did:web:nobody.test") }) },
      {
        weight: 2,
        arbitrary: fc.record({
          under: fc
            .tuple(fc.constantFrom(...dids), fc.nat(2))
            .map(([did, parts]) =>
              did
                .split(":")
                .slice(0, 3 + parts)
                .join(":"),
            )
            .filter(isCanonicalDid),
        }),
      },
    );
    const limits = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 });
    const sizes: number[] = [];
    await fc.assert(
      fc.asyncProperty(query, byDid, limits, limits, async (some, named, indexLimits, chainLimits) => {
        const input = { ...some, ...named };
        const [byIndex, byChain] = await Promise.all([
          all((page) => search(indexer, parameters(page)), indexLimits, input),
          all((page) => searchChain({ client: reader, timeoutMs: 60_000, ...page }), chainLimits, input),
        ]);
        expect(byIndex).toEqual(byChain);
        sizes.push(byIndex.length);
      }),
      { seed: SEED, numRuns: QUERIES, endOnFailure: true },
    );
    // The comparison is meaningful only if enough searches have results.
    expect(sizes).toHaveLength(QUERIES);
    expect(sizes.filter((size) => size > 0).length).toBeGreaterThan(QUERIES / 3);
    expect(new Set(sizes).size).toBeGreaterThan(10);
  });
});

/** Converts a search to URL parameters. */
function parameters(input: SearchQueryInput): Record<string, string> {
  parseSearchQuery(input);
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [name, String(value)]));
}

/** Registers the records and applies the changes of each. The publishers work in parallel. */
async function registerAll(chain: Chain, records: readonly (Service & Fate)[]): Promise<void> {
  const issuer = getIssuer(chain);
  for (const { did, publisher } of records) {
    await mined(issuer, issuer.attestDid({ did, controller: holders[publisher] as Address }));
  }
  await Promise.all(
    accounts.map(async (account, publisher) => {
      const client = createClient(chain, account);
      for (const record of records) if (record.publisher === publisher) await live(client, record);
    }),
  );
}

async function live(client: AppRegistryClient, record: Service & Fate): Promise<void> {
  const { did, major, newTraits, widen } = record;
  const service = { did, interfaces: record.interfaces, traits: record.traits, metadata: { name: did } };
  await mined(client, client.mint(publication({ ...service, version: { major, minor: 0, patch: 1 } })));
  if (newTraits?.length) {
    const update = { ...service, traits: newTraits, interfaces: record.interfaces | widen };
    await mined(
      client,
      client.updateAppControlled(publication({ ...update, version: { major, minor: 1, patch: 0 } })),
    );
  }
  if (record.status !== 0) await mined(client, client.updateStatus({ did, major, status: record.status }));
  const to = holders[record.holder];
  const from = holders[record.publisher] as Address;
  if (to && to !== from) {
    await mined(client, client.transfer({ from, to, tokenId: await client.tokenIdOf({ did, major }) }));
  }
}
