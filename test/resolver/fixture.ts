import type { HardhatEthersSigner } from "@nomicfoundation/hardhat-ethers/types";
import { id } from "ethers";
import { network } from "hardhat";
import type { ResolverWithStore } from "../../packages/sdk/generated/ethers/index.ts";

export const HOUR = 3_600;
export const DAY = 24 * HOUR;
export const YEAR = 365 * DAY;
export const MATURATION = 48 * HOUR;

/** keccak256 of the DID that the tests are about, of another one, and of two documents. */
export const didHash = id("did:web:example.com");
export const otherDidHash = id("did:web:example.org");
export const dataHash = id('{"name":"Example"}');
export const otherDataHash = id('{"name":"Other"}');

export type Signer = HardhatEthersSigner;

type EightSigners = [Signer, Signer, Signer, Signer, Signer, Signer, Signer, Signer];

/** A chain of its own with a resolver that knows three issuers. */
export async function createResolverSuite() {
  const { ethers, networkHelpers } = await network.create();
  const { time, loadFixture } = networkHelpers;

  /** Sets the time of the next block and of every call until then. */
  const at = (timestamp: number) => time.increaseTo(timestamp);

  async function deployResolver() {
    const signers = await ethers.getSigners();
    const [owner, issuer, issuer2, issuer3, first, second, third, stranger] = signers as EightSigners;
    const resolver: ResolverWithStore = await ethers.deployContract("ResolverWithStore", [
      owner.address,
      MATURATION,
    ]);
    for (const { address } of [issuer, issuer2, issuer3]) await resolver.addIssuer(address);

    /** Attests `controller` and returns the time of the block. */
    async function attest(by: Signer, controller: Signer, expiresAt = 0): Promise<number> {
      await resolver.connect(by).attestDID(didHash, controller.address, expiresAt);
      return time.latest();
    }
    const counts = (controller: Signer) => resolver.checkDID(didHash, controller.address);

    /** A DID with a first controller and a second one who has waited; returns the time now. */
    async function claimWithTwo(): Promise<number> {
      await attest(issuer, first);
      await attest(issuer, second);
      await time.increase(MATURATION);
      return time.latest();
    }
    return {
      ...{ resolver, owner, issuer, issuer2, issuer3, first, second, third, stranger },
      ...{ attest, counts, claimWithTwo },
    };
  }
  return { ethers, time, at, networkHelpers, deployResolver, load: () => loadFixture(deployResolver) };
}

export type ResolverSuite = Awaited<ReturnType<typeof createResolverSuite>>;
