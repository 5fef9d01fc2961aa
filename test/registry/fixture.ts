import type { HardhatEthersSigner } from "@nomicfoundation/hardhat-ethers/types";
import { id, sha256, toUtf8Bytes } from "ethers";
import { network } from "hardhat";
import type {
  AppMetadata,
  AppRegistry,
  ResolverWithStore,
} from "../../packages/sdk/generated/ethers/index.ts";

export const DAY = 86_400;
export const MATURATION = 2 * DAY;
export const GRACE = 7 * DAY;
export const CHALLENGE_PERIOD = 7 * DAY;
export const MAX_TTL = 365 * DAY;

export const DID = "did:web:example.com";
export const OTHER_DID = "did:web:example.org";
export const didHash = id(DID);
export const DATA_URL = "https://example.com/metadata/1.0.0.json";

export const Algorithm = { keccak256: 0, sha256: 1 };
export const Interface = { human: 1, api: 2, contract: 4 };
export const Status = { active: 0, deprecated: 1, replaced: 2 };

export const hashText = (text: string, algorithm = Algorithm.keccak256) =>
  algorithm === Algorithm.sha256 ? sha256(toUtf8Bytes(text)) : id(text);
export const traits = (count: number, prefix = "trait") =>
  Array.from({ length: count }, (_, index) => id(`${prefix}:${index}`));

/** Arguments of `mint` by name. Omitted ones have a valid default. */
export interface MintInput {
  did?: string;
  interfaces?: number;
  dataUrl?: string;
  dataHash?: string;
  algorithm?: number;
  fungibleTokenId?: string;
  contractId?: string;
  version?: [major: number, minor: number, patch: number];
  traitHashes?: string[];
  json?: string;
}

export function mintArguments(input: MintInput = {}) {
  const { algorithm = Algorithm.keccak256, json = "" } = input;
  const [major, minor, patch] = input.version ?? [1, 0, 0];
  return [
    input.did ?? DID,
    input.interfaces ?? Interface.api,
    input.dataUrl ?? DATA_URL,
    input.dataHash ?? hashText(json || "{}", algorithm),
    algorithm,
    input.fungibleTokenId ?? "",
    input.contractId ?? "",
    major,
    minor,
    patch,
    input.traitHashes ?? [],
    json,
  ] as const;
}

/** Arguments of `updateAppControlled` by name. Omitted ones keep the record's value, except for the version. */
export interface UpdateInput {
  did?: string;
  dataUrl?: string;
  dataHash?: string;
  algorithm?: number;
  interfaces?: number;
  traitHashes?: string[];
  version?: [major: number, minor: number, patch: number];
  json?: string;
}

export function updateArguments(input: UpdateInput = {}) {
  const { algorithm = Algorithm.keccak256, json = "" } = input;
  const [major, minor, patch] = input.version ?? [1, 0, 1];
  return [
    input.did ?? DID,
    major,
    input.dataUrl ?? "",
    input.dataHash ?? hashText(json || "{}", algorithm),
    algorithm,
    input.interfaces ?? 0,
    input.traitHashes ?? [],
    minor,
    patch,
    json,
  ] as const;
}

export type Signer = HardhatEthersSigner;

type SevenSigners = [Signer, Signer, Signer, Signer, Signer, Signer, Signer];

/** Creates a separate chain with a resolver, one issuer, and a registry without records. */
export async function createRegistrySuite() {
  const { ethers, networkHelpers } = await network.create();
  const { time, loadFixture } = networkHelpers;

  async function deployRegistry() {
    const signers = await ethers.getSigners();
    const [owner, issuer, publisher, buyer, second, operator, stranger] = signers as SevenSigners;
    const resolver: ResolverWithStore = await ethers.deployContract("ResolverWithStore", [
      owner.address,
      MATURATION,
      CHALLENGE_PERIOD,
      MAX_TTL,
    ]);
    await resolver.addIssuer(issuer.address);
    const registry: AppRegistry = await ethers.deployContract("AppRegistry", [await resolver.getAddress()]);
    const metadata: AppMetadata = await ethers.getContractAt("AppMetadata", await registry.metadata());

    /** Attests control of a DID. The DID's first controller controls it immediately, a later one after MATURATION. */
    const attest = (controller: Signer, did = DID, expiresAt = 0) =>
      resolver.connect(issuer).attestDID(id(did), controller.address, expiresAt);
    const revoke = (controller: Signer, did = DID) =>
      resolver.connect(issuer).revokeDID(id(did), controller.address);
    /** Attests another controller and waits until it controls the DID. */
    async function attestAndWait(controller: Signer, did = DID) {
      await attest(controller, did);
      await time.increase(2 * MATURATION);
    }
    /** Revokes a controller and waits until it no longer resists a reclaim. */
    async function loseControl(controller: Signer, did = DID) {
      await revoke(controller, did);
      await time.increase(GRACE);
    }

    const mint = (by: Signer, input: MintInput = {}) => registry.connect(by).mint(...mintArguments(input));
    /** Mints a record. Attests the publisher first if it doesn't control the DID. */
    async function publish(input: MintInput = {}, by = publisher) {
      const did = input.did ?? DID;
      if (!(await resolver.checkDID(id(did), by.address))) await attest(by, did);
      return mint(by, input);
    }
    /** Lets an account reclaim major version 1 from another one, which loses the DID. */
    async function reclaim(by = second, from = publisher) {
      await attestAndWait(by);
      await loseControl(from);
      await registry.connect(by).openReclaim(DID, 1);
      await time.increase(30 * DAY);
      await registry.connect(by).finishReclaim(DID, 1);
    }
    const update = (by: Signer, input: UpdateInput = {}) =>
      registry.connect(by).updateAppControlled(...updateArguments(input));

    return {
      ...{ resolver, registry, metadata, owner, issuer, publisher, buyer, second, operator, stranger },
      ...{ attest, attestAndWait, loseControl, revoke, reclaim, mint, publish, update },
    };
  }
  return { ethers, time, networkHelpers, load: () => loadFixture(deployRegistry) };
}

export type Registry = Awaited<ReturnType<Awaited<ReturnType<typeof createRegistrySuite>>["load"]>>;
