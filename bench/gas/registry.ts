import type { HardhatEthersSigner } from "@nomicfoundation/hardhat-ethers/types";
import { id } from "ethers";
import { network } from "hardhat";
import type { AppRegistry, ResolverWithStore } from "../../packages/sdk/generated/ethers/index.ts";

/** Returns a DID of 33 bytes. */
export const createDid = (index: number) => `did:web:app-${String(index).padStart(4, "0")}.services.example`;

/** Returns a dataUrl of 85 bytes. */
const getDataUrl = (index: number) =>
  `https://registries.example/api/data-url/${encodeURIComponent(createDid(index))}/v/1.0.0`;

/** Creates ASCII JSON of exactly `size` bytes. Each `seed` gives another document. */
export const createJson = (size: number, seed: number) => {
  const start = `{"description":"${seed} `;
  return `${start}${"a".repeat(size - start.length - 2)}"}`;
};

export const API = 2;
export const CONTRACT = 4;

export interface BenchRecord {
  index: number;
  interfaces?: number;
  traitCount?: number;
  json?: string;
}

/** Returns arguments of mint with, by default, three traits, and without contractId and fungibleTokenId. */
export function mintArguments({ index, interfaces = API, traitCount = 3, json = "" }: BenchRecord) {
  const traitHashes = Array.from({ length: traitCount }, (_, i) => id(`trait:${i}`));
  const dataHash = id(json || `document ${index}`);
  const url = getDataUrl(index);
  return [createDid(index), interfaces, url, dataHash, 0, "", "", 1, 0, 0, traitHashes, json] as const;
}

/** Returns arguments of updateAppControlled for a new version that changes only the dataHash. */
export function updateArguments(index: number, minor: number, patch: number, json = "") {
  const dataHash = id(json || `document ${index} of 1.${minor}.${patch}`);
  const keptTraits: string[] = [];
  return [createDid(index), 1, "", dataHash, 0, 0, keptTraits, minor, patch, json] as const;
}

export interface BenchRegistry {
  connection: Awaited<ReturnType<typeof network.create>>;
  registry: AppRegistry;
  resolver: ResolverWithStore;
  issuer: HardhatEthersSigner;
  publisher: HardhatEthersSigner;
  other: HardhatEthersSigner;
  /** gasUsed of the two deployments. The registry creates the metadata store. */
  deployGas: number;
}

export const DAY = 86_400;

/** Creates a chain with the three contracts and one issuer, without records. */
export async function createBenchRegistry(): Promise<BenchRegistry> {
  const connection = await network.create();
  const { ethers } = connection;
  const [owner, issuer, publisher, other] = await ethers.getSigners();
  if (!owner || !issuer || !publisher || !other) throw new Error("The chain has too few accounts");
  const resolver: ResolverWithStore = await ethers.deployContract("ResolverWithStore", [
    owner.address,
    2 * DAY,
    7 * DAY,
    365 * DAY,
  ]);
  const registry: AppRegistry = await ethers.deployContract("AppRegistry", [await resolver.getAddress()]);
  let deployGas = 0;
  for (const contract of [resolver, registry]) {
    const receipt = await contract.deploymentTransaction()?.wait();
    deployGas += Number(receipt?.gasUsed);
  }
  await resolver.addIssuer(issuer.address);
  return { connection, registry, resolver, issuer, publisher, other, deployGas };
}

/** Number of attestations per transaction. */
const BATCH_SIZE = 100;

/** Attests the publisher as the controller of each record's DID and mints the records, in their order. */
export async function publishMany(bench: BenchRegistry, records: BenchRecord[]): Promise<void> {
  const { resolver, registry, issuer, publisher } = bench;
  const batches: string[] = [];
  for (let start = 0; start < records.length; start += BATCH_SIZE) {
    const attestations = records.slice(start, start + BATCH_SIZE).map(({ index }) => ({
      didHash: id(createDid(index)),
      controller: publisher.address,
      expiresAt: 0,
    }));
    batches.push(resolver.interface.encodeFunctionData("attestDIDBatch", [attestations]));
  }
  await sendMany(bench, issuer.address, resolver, batches);
  const calls = records.map((record) =>
    registry.interface.encodeFunctionData("mint", [...mintArguments(record)]),
  );
  await sendMany(bench, publisher.address, registry, calls);
}

/** Sends calls in order, one per block. Bypasses ethers' contract wrapper, which takes several times as long. */
export async function sendMany(
  { connection }: BenchRegistry,
  from: string,
  contract: AppRegistry | ResolverWithStore,
  calls: string[],
): Promise<void> {
  const to = await contract.getAddress();
  for (const data of calls) {
    await connection.provider.request({ method: "eth_sendTransaction", params: [{ from, to, data }] });
  }
}
