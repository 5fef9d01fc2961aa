import { dataHash } from "@app-registry/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  readApps,
  readChallenges,
  readControllers,
  readDataHashAttestations,
  readDidAttestations,
  readerOf,
  readReclaims,
} from "./harness/chainRows.ts";
import { playRandomActions, playScenes, prepareRandomActions, universe } from "./harness/randomActions.ts";
import {
  type Chain,
  type Indexer,
  rpc,
  startChain,
  startIndexer,
  stopAll,
  untilCaughtUp,
} from "./harness/stack.ts";
import { type Row, readTables, type Tables } from "./harness/tables.ts";

const seed = Number(process.env.TEST_SEED ?? 20_260);

/** An open reclaim is void this long after it could be finished, in seconds. */
const RECLAIM_WINDOW = 30 * 86_400;

const text = (value: unknown) => JSON.stringify(value);
const sorted = (rows: Row[]) => rows.map((row) => text(row)).sort();

describe(`the tables after random actions (TEST_SEED=${seed})`, () => {
  let chain: Chain;
  let indexer: Indexer;
  let tables: Tables;
  let apps: Row[];
  let now: number;

  beforeAll(async () => {
    chain = await startChain();
    // Half of it is there when the indexer starts, half comes while it follows the chain.
    await prepareRandomActions(chain);
    await playRandomActions(chain, { seed, count: 100 });
    indexer = await startIndexer(chain, { environment: { OFFCHAIN_DOCUMENTS: "off" } });
    await playRandomActions(chain, { seed: seed + 1, count: 100 });
    await playScenes(chain);
    await untilCaughtUp(chain, indexer);
    tables = await readTables(indexer);
    apps = await readApps(readerOf(chain));
    const { timestamp } = (await rpc(chain.rpcUrl, "eth_getBlockByNumber", ["latest", false])) as {
      timestamp: string;
    };
    now = Number(timestamp);
  });

  afterAll(() => stopAll(chain));

  /** As docs/indexer.md says it: neither revoked, ousted nor expired, by an issuer under its present authorisation. */
  const isLive = (row: Row) => {
    const issuer = tables.issuer.find(({ address }) => address === row.issuer);
    const ended =
      row.revoked_at !== null || (row.ousted_at ?? null) !== null || Number(row.expires_at) <= now;
    return !ended && issuer?.authorised === true && issuer.epoch === row.issuer_epoch;
  };

  it("hold every kind of thing that can happen", () => {
    for (const [table, rows] of Object.entries(tables)) expect(rows, table).not.toEqual([]);
    expect(new Set(tables.app.map(({ status }) => status))).toEqual(new Set([0, 1, 2]));
    expect(tables.challenge.map(({ won }) => won)).toEqual(expect.arrayContaining([true, false]));
    expect(tables.app.some(({ owner, minter }) => owner !== minter)).toBe(true);
    expect(tables.did_attestation.some(({ ousted_at }) => ousted_at !== null)).toBe(true);
    expect(tables.reclaim.some(({ state }) => state === "finished")).toBe(true);
  });

  it("hold each record as getApp tells it", () => {
    const columns = Object.keys(apps[0] ?? {}).filter((column) => column !== "versions");
    const known = tables.app.map((row) =>
      Object.fromEntries(
        columns.map((column) => {
          const value = row[column];
          return [column, /_at$/.test(column) ? Number(value) : value];
        }),
      ),
    );
    expect(known).toEqual(apps.map(({ versions: _versions, ...app }) => app));
  });

  it("hold each record's history as getApp tells it, and the token of each DID and major", () => {
    const history = (row: Row) =>
      tables.version
        .filter(({ token_id }) => token_id === row.token_id)
        .map(({ minor, patch, registered_at }) => [minor, patch, Number(registered_at)]);
    expect(apps.map(history)).toEqual(apps.map(({ versions }) => versions));
    expect(sorted(tables.token_of_major)).toEqual(
      sorted(apps.map(({ did_hash, major, token_id }) => ({ did_hash, major, token_id }))),
    );
  });

  it("hold the JSON of each DID that getMetadata gives, at a pointer with that text", async () => {
    const reader = readerOf(chain);
    for (const did of universe.dids) {
      const stored = await reader.getMetadata(did);
      const row = tables.document.find(({ data_hash }) => data_hash === stored?.dataHash);
      expect(row === undefined).toBe(stored === undefined);
      if (!stored || !row) continue;
      expect(Number(row.stored_at)).toBe(stored.storedAt);
      expect(await reader.getMetadataAt(row.pointer as `0x${string}`)).toBe(stored.json);
      expect(row.name).toBe((JSON.parse(stored.json) as { name: string }).name);
    }
  });

  it("label a record by the JSON of its dataHash, and name where that stands, or not at all", async () => {
    const reader = readerOf(chain);
    for (const row of tables.app) {
      const document = tables.document.find(
        ({ did_hash, data_hash }) => did_hash === row.did_hash && data_hash === row.data_hash,
      );
      expect(row.name, String(row.did)).toBe(document?.name ?? null);
      expect(row.pointer !== null, String(row.did)).toBe(document !== undefined);
      if (row.pointer === null) continue;
      const json = await reader.getMetadataAt(row.pointer as `0x${string}`);
      expect(dataHash(json ?? "", row.data_hash_algorithm as 0 | 1)).toBe(row.data_hash);
    }
  });

  it("hold the attestations that the resolver gives, and no other live one", async () => {
    const reader = readerOf(chain);
    const [controllers, hashes] = await Promise.all([
      readDidAttestations(reader),
      readDataHashAttestations(reader),
    ]);
    const didRow = ({ did_hash, controller, ...row }: Row) => [did_hash, controller, ...attestation(row)];
    const hashRow = ({ did_hash, data_hash, ...row }: Row) => [did_hash, data_hash, ...attestation(row)];
    const attestation = (row: Row) => [row.issuer, Number(row.attested_at), Number(row.expires_at)];
    const given = ({ attestedAt, expiresAt, ...row }: Row) => ({
      ...row,
      attested_at: attestedAt,
      expires_at: expiresAt,
    });
    const live = ({ live }: Row) => live === true;
    expect(tables.did_attestation.filter(isLive).map(didRow).map(text).sort()).toEqual(
      controllers.filter(live).map(given).map(didRow).map(text).sort(),
    );
    expect(tables.data_hash_attestation.filter(isLive).map(hashRow).map(text).sort()).toEqual(
      hashes.filter(live).map(given).map(hashRow).map(text).sort(),
    );
    expect(controllers.filter(live).length).toBeGreaterThan(0);
    expect(hashes.filter(live).length).toBeGreaterThan(0);
  });

  it("hold the issuers, the reclaims and the challenges that run", async () => {
    const reader = readerOf(chain);
    expect(tables.issuer.filter(({ authorised }) => authorised).map(({ address }) => address)).toEqual(
      (await reader.getIssuers()).map((address) => address.toLowerCase()).sort(),
    );

    // An open reclaim sleeps while its claimant does not count, or minter or holder does.
    const controllers = await readControllers(reader);
    const isPending = ({ token_id, claimant }: Row) => {
      const { did_hash, owner, minter } = tables.app.find((row) => row.token_id === token_id) as Row;
      const counts = (account: unknown) =>
        controllers.some((row) => row.did_hash === did_hash && row.controller === account && row.counts);
      return counts(claimant) && !counts(owner) && !counts(minter);
    };
    const open = tables.reclaim
      .filter(({ state, finishable_at }) => state === "open" && now < Number(finishable_at) + RECLAIM_WINDOW)
      .filter(isPending)
      .map(({ token_id, claimant, finishable_at }) => ({
        token_id,
        claimant,
        finishable_at: Number(finishable_at),
      }));
    expect(open).toEqual(await readReclaims(reader, apps));

    const running = tables.challenge
      .filter(({ resolved_at, void_from }) => resolved_at === null && Number(void_from) > now)
      .map(({ did_hash, incumbent, challenger, opened_at, resolvable_from, void_from }) => ({
        did_hash,
        incumbent,
        challenger,
        openedAt: Number(opened_at),
        resolvableFrom: Number(resolvable_from),
        voidFrom: Number(void_from),
      }));
    expect(sorted(running)).toEqual(sorted(await readChallenges(reader)));
  });

  it("hold the vouch or the rejection by which a controller counts or does not", async () => {
    const controllers = await readControllers(readerOf(chain));
    for (const { did_hash, controller, voucher, rejected } of controllers) {
      const of = (row: Row) => row.did_hash === did_hash && row.controller === controller;
      if (voucher) {
        expect(tables.vouch.filter(of).map((row) => row.voucher)).toContain(voucher.toLowerCase());
      }
      if (rejected) expect(tables.rejection.filter(of)).not.toEqual([]);
    }
    expect(controllers.some(({ voucher }) => voucher)).toBe(true);
    expect(controllers.some(({ rejected }) => rejected)).toBe(true);
  });
});
