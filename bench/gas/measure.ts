import { type ContractTransactionResponse, id, toBeHex } from "ethers";
import { signStatement } from "../../test/resolver/statements.ts";
import {
  API,
  type BenchRecord,
  type BenchRegistry,
  CONTRACT,
  createBenchRegistry,
  createDid,
  createJson,
  DAY,
  mintArguments,
  publishMany,
  updateArguments,
} from "./registry.ts";
import type { GasFigures } from "./rows.ts";

/** Measures every row on new chains with the compiled contracts. */
export async function measureGas(): Promise<GasFigures> {
  return { ...(await measureWrites()), ...(await measureReads()) };
}

const KIB = 1_024;
const BATCH = 10;

async function gasUsed(transaction: Promise<ContractTransactionResponse>): Promise<number> {
  const receipt = await (await transaction).wait();
  if (!receipt) throw new Error("The transaction was not mined");
  return Number(receipt.gasUsed);
}

/** Measures every kind of transaction, by a publisher who has minted before and holds fewer than seven apps. */
async function measureWrites() {
  const bench = await createBenchRegistry();
  return {
    "deploy-total": bench.deployGas,
    ...(await measureAttestations(bench)),
    ...(await measureMints(bench)),
    ...(await measureUpdates(await createBenchRegistry())),
    ...(await measureRenewals(await createBenchRegistry())),
  };
}

async function measureMints(bench: BenchRegistry) {
  const { registry, publisher } = bench;
  await publishMany(bench, [{ index: 0 }]);
  const mint = async (record: BenchRecord) => {
    await attest(bench, record.index);
    return gasUsed(registry.connect(publisher).mint(...mintArguments(record)));
  };
  return {
    "mint-no-json": await mint({ index: 1 }),
    "mint-json-1k": await mint({ index: 2, json: createJson(KIB, 1) }),
    "mint-json-4k": await mint({ index: 3, json: createJson(4 * KIB, 1) }),
    "mint-20-traits": await mint({ index: 4, traitCount: 20 }),
  };
}

async function measureUpdates(bench: BenchRegistry) {
  const { registry, publisher, other } = bench;
  const json = createJson(KIB, 1);
  await publishMany(bench, [{ index: 0 }, { index: 1 }, { index: 2, json }, { index: 3 }]);
  const mine = registry.connect(publisher);
  const update = (...parameters: Parameters<typeof updateArguments>) =>
    gasUsed(mine.updateAppControlled(...updateArguments(...parameters)));

  // The second and third update cost the same as the first. The fourth uses a new storage slot of the history.
  const hashOnly = await update(1, 0, 1);
  for (const patch of [2, 3]) await update(1, 0, patch);
  await mine.transferFrom(publisher, other, await registry.tokenIdOf(createDid(0), 1));
  return {
    "update-hash-only": hashOnly,
    "update-hash-only-worst": await update(1, 0, 4),
    "update-json-1k": await update(2, 0, 1, createJson(KIB, 2)),
    "update-status": await gasUsed(mine.updateStatus(createDid(1), 1, 1)),
    transfer: await gasUsed(mine.transferFrom(publisher, other, await registry.tokenIdOf(createDid(3), 1))),
  };
}

/** Measures renewals, and updates of records whose controllers' attestations were renewed. */
async function measureRenewals(bench: BenchRegistry) {
  const { connection, registry, resolver, publisher, other } = bench;
  const { time } = connection.networkHelpers;
  await time.setNextBlockTimestamp(STATED_AT - 30 * DAY);
  await publishMany(bench, [{ index: 0 }, { index: 1 }]);
  const update = (index: number) =>
    gasUsed(registry.connect(publisher).updateAppControlled(...updateArguments(index, 0, 1)));
  await time.setNextBlockTimestamp(STATED_AT);
  const renewal = await gasUsed(attest(bench, 0));
  const { attestation, signature } = await signAttestation(bench, 1, STATED_AT + 1);
  await time.setNextBlockTimestamp(STATED_AT + 2);
  await resolver.connect(other).attestDIDBySignature(attestation, signature);
  return {
    "renew-did": renewal,
    "update-after-renewal": await update(0),
    "update-after-signed-renewal": await update(1),
  };
}

function attest({ resolver, issuer, publisher }: BenchRegistry, index: number) {
  return resolver.connect(issuer).attestDID(id(createDid(index)), publisher.address, 0);
}

async function measureAttestations(bench: BenchRegistry) {
  const { resolver, issuer, publisher } = bench;
  const issuing = resolver.connect(issuer);
  const batch = Array.from({ length: BATCH }, (_, i) => ({
    didHash: id(createDid(200 + i)),
    controller: publisher.address,
    expiresAt: 0,
  }));
  return {
    "attest-did": await gasUsed(attest(bench, 100)),
    "attest-data-hash": await gasUsed(issuing.attestDataHash(id(createDid(100)), id("document"), 0)),
    "attest-batch-10-each": Math.ceil((await gasUsed(issuing.attestDIDBatch(batch))) / BATCH),
    "attest-by-signature": await measureSignature(bench),
  };
}

/** Fixed future time in Unix seconds, so that the signed bytes are the same in each run. */
const STATED_AT = 2_000_000_001;

async function measureSignature(bench: BenchRegistry) {
  const { connection, resolver, other } = bench;
  await connection.networkHelpers.time.setNextBlockTimestamp(STATED_AT + 1);
  const { attestation, signature } = await signAttestation(bench, 300, STATED_AT);
  return gasUsed(resolver.connect(other).attestDIDBySignature(attestation, signature));
}

async function signAttestation(
  { resolver, issuer, publisher }: BenchRegistry,
  index: number,
  statedAt: number,
) {
  const attestation = { didHash: id(createDid(index)), controller: publisher.address, expiresAt: 0 };
  const fields = { statedAt, deadline: statedAt + 3_600 };
  const statement = { resolver, signer: issuer, type: "AttestDID" as const, statement: attestation, fields };
  return { attestation, signature: await signStatement(statement) };
}

const APPS = 1_000;
const ACTIVE = 0;
const HUMAN = 1;

/** Measures listings of 1,000 Active apps of one holder. Every hundredth has the interface CONTRACT. */
async function measureReads() {
  const bench = await createBenchRegistry();
  const { registry, publisher } = bench;
  const records = Array.from({ length: APPS }, (_, index) => ({
    index,
    interfaces: index % 100 === 50 ? CONTRACT : API,
  }));
  await publishMany(bench, records);

  const { getAppsByStatus, getAppsByInterface, getAppsByOwner } = registry;
  return {
    "page-100-by-status": Number(await getAppsByStatus.estimateGas(ACTIVE, 0, 100)),
    "interface-1pct-of-1000": Number(await getAppsByInterface.estimateGas(CONTRACT, true, 0, 100)),
    "interface-none-of-1000": Number(await getAppsByInterface.estimateGas(HUMAN, true, 0, 100)),
    "owner-page-100-of-1000": Number(await getAppsByOwner.estimateGas(publisher, 0, 100)),
    "scan-1000000-without-match": await measureScan(bench, 1_000_000),
  };
}

/**
 * Measures a call that scans a registry of `supply` apps without a match. Sets the supply in the registry's storage,
 * because reading a word of the index costs the same for every value.
 */
async function measureScan({ connection, registry }: BenchRegistry, supply: number): Promise<number> {
  const { networkHelpers, ethers } = connection;
  const address = await registry.getAddress();
  const [slot, supplyBits] = [0, 32n];
  const totals = BigInt(await ethers.provider.getStorage(address, slot));
  const withSupply = ((totals >> supplyBits) << supplyBits) | BigInt(supply);
  await networkHelpers.setStorageAt(address, slot, toBeHex(withSupply, 32));
  if ((await registry.totalSupply()) !== BigInt(supply)) {
    throw new Error("The registry stores its supply in another slot");
  }
  const { page, nextCursor } = await registry.getAppsByInterface(HUMAN, true, 0, 100);
  if (page.length > 0 || nextCursor === 0n) throw new Error("The scan found a record or reached the end");
  return Number(await registry.getAppsByInterface.estimateGas(HUMAN, true, 0, 100));
}
