import { type ContractTransactionResponse, id } from "ethers";
import {
  type BenchRecord,
  type BenchRegistry,
  createBenchRegistry,
  didOf,
  jsonOf,
  mintArguments,
  updateArguments,
} from "./benchRegistry.ts";
import type { WriteRow } from "./gasRows.ts";
import { publishMany } from "./publishMany.ts";

const KIB = 1_024;
/** Attestations in one batch. */
const BATCH = 10;

async function gasUsed(transaction: Promise<ContractTransactionResponse>): Promise<number> {
  const receipt = await (await transaction).wait();
  if (!receipt) throw new Error("The transaction was not mined");
  return Number(receipt.gasUsed);
}

/** Gas of every kind of transaction, each by a publisher who has minted before and holds fewer than seven apps. */
export async function measureWrites(): Promise<Record<WriteRow, number>> {
  const bench = await createBenchRegistry();
  return {
    "deploy-total": bench.deployGas,
    ...(await measureAttestations(bench)),
    ...(await measureMints(bench)),
    ...(await measureUpdates(await createBenchRegistry())),
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
    "mint-json-1k": await mint({ index: 2, json: jsonOf(KIB, 1) }),
    "mint-json-4k": await mint({ index: 3, json: jsonOf(4 * KIB, 1) }),
    "mint-20-traits": await mint({ index: 4, traitCount: 20 }),
  };
}

async function measureUpdates(bench: BenchRegistry) {
  const { registry, publisher, other } = bench;
  const json = jsonOf(KIB, 1);
  await publishMany(bench, [{ index: 0 }, { index: 1 }, { index: 2, json }, { index: 3 }]);
  const mine = registry.connect(publisher);
  const update = (...parameters: Parameters<typeof updateArguments>) =>
    gasUsed(mine.updateAppControlled(...updateArguments(...parameters)));

  // The second and third update of a record are like the first; the fourth opens a slot of the history.
  const hashOnly = await update(1, 0, 1);
  for (const patch of [2, 3]) await update(1, 0, patch);
  await mine.transferFrom(publisher, other, await registry.tokenIdOf(didOf(0), 1));
  return {
    "update-hash-only": hashOnly,
    "update-hash-only-worst": await update(1, 0, 4),
    "update-json-1k": await update(2, 0, 1, jsonOf(KIB, 2)),
    "update-status": await gasUsed(mine.updateStatus(didOf(1), 1, 1)),
    transfer: await gasUsed(mine.transferFrom(publisher, other, await registry.tokenIdOf(didOf(3), 1))),
  };
}

function attest({ resolver, issuer, publisher }: BenchRegistry, index: number) {
  return resolver.connect(issuer).attestDID(id(didOf(index)), publisher.address, 0);
}

async function measureAttestations(bench: BenchRegistry) {
  const { resolver, issuer, publisher } = bench;
  const issuing = resolver.connect(issuer);
  const batch = Array.from({ length: BATCH }, (_, i) => ({
    didHash: id(didOf(200 + i)),
    controller: publisher.address,
    expiresAt: 0,
  }));
  return {
    "attest-did": await gasUsed(attest(bench, 100)),
    "attest-data-hash": await gasUsed(issuing.attestDataHash(id(didOf(100)), id("document"), 0)),
    "attest-batch-10-each": Math.ceil((await gasUsed(issuing.attestDIDBatch(batch))) / BATCH),
    "attest-by-signature": await measureSignature(bench),
  };
}

/** Far enough ahead of any clock that this runs on, so that the signed bytes are the same in each run. */
const STATED_AT = 2_000_000_001;

async function measureSignature({ connection, resolver, issuer, publisher, other }: BenchRegistry) {
  await connection.networkHelpers.time.setNextBlockTimestamp(STATED_AT + 1);
  const attestation = { didHash: id(didOf(300)), controller: publisher.address, expiresAt: 0 };
  const fields = { issuer: issuer.address, statedAt: STATED_AT, deadline: STATED_AT + 3_600 };
  const domain = {
    name: "App Registry Resolver",
    version: "1",
    chainId: (await connection.ethers.provider.getNetwork()).chainId,
    verifyingContract: await resolver.getAddress(),
  };
  const signature = await issuer.signTypedData(domain, attestDIDTypes, { ...attestation, ...fields });
  return gasUsed(resolver.connect(other).attestDIDBySignature(attestation, { ...fields, signature }));
}

const attestDIDTypes = {
  AttestDID: [
    { name: "didHash", type: "bytes32" },
    { name: "controller", type: "address" },
    { name: "expiresAt", type: "uint64" },
    { name: "issuer", type: "address" },
    { name: "statedAt", type: "uint64" },
    { name: "deadline", type: "uint64" },
  ],
};
