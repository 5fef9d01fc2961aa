import type { HardhatEthersSigner } from "@nomicfoundation/hardhat-ethers/types";
import { id } from "ethers";
import { network } from "hardhat";
import type { ResolverWithStore } from "../../packages/sdk/generated/ethers/index.ts";

export const HOUR = 3_600;
export const DAY = 24 * HOUR;
export const YEAR = 365 * DAY;
export const MATURATION = 48 * HOUR;
/** Time after its expiry in which a run can still be renewed, in seconds. */
export const GRACE = 7 * DAY;
export const CHALLENGE_PERIOD = 7 * DAY;
/** Longest time from now until the end of a block, in seconds. */
export const MAX_BLOCK = 30 * DAY;

/** keccak256 of the DID under test, of another DID, and of two documents. */
export const didHash = id("did:web:example.com");
export const otherDidHash = id("did:web:example.org");
export const dataHash = id('{"name":"Example"}');
export const otherDataHash = id('{"name":"Other"}');

export type Signer = HardhatEthersSigner;

type EightSigners = [Signer, Signer, Signer, Signer, Signer, Signer, Signer, Signer];

/** Creates a separate chain with a resolver and three issuers. */
export async function createResolverSuite() {
  const { ethers, networkHelpers } = await network.create();
  const { time, loadFixture } = networkHelpers;

  /** Sets the time of the next block and of every call until then. */
  const at = (timestamp: number) => time.increaseTo(timestamp);
  /** Sets the time of the next transaction. */
  const next = (timestamp: number) => time.setNextBlockTimestamp(timestamp);

  async function deployResolver() {
    const signers = await ethers.getSigners();
    const [owner, issuer, issuer2, issuer3, first, second, third, stranger] = signers as EightSigners;
    const resolver: ResolverWithStore = await ethers.deployContract("ResolverWithStore", [
      owner.address,
      MATURATION,
      CHALLENGE_PERIOD,
      YEAR,
    ]);
    for (const { address } of [issuer, issuer2, issuer3]) await resolver.addIssuer(address);

    /** Attests `controller` and returns the time of the block. */
    async function attest(by: Signer, controller: Signer, expiresAt = 0): Promise<number> {
      await resolver.connect(by).attestDID(didHash, controller.address, expiresAt);
      return time.latest();
    }
    /** Revokes `controller` and returns the time of the block. */
    async function revoke(by: Signer, controller: Signer): Promise<number> {
      await resolver.connect(by).revokeDID(didHash, controller.address);
      return time.latest();
    }
    return {
      ...{ resolver, signers, owner, issuer, issuer2, issuer3, first, second, third, stranger },
      ...{ attest, revoke },
    };
  }
  return { ethers, time, at, next, networkHelpers, load: () => loadFixture(deployResolver) };
}

export type ResolverSuite = Awaited<ReturnType<typeof createResolverSuite>>;
