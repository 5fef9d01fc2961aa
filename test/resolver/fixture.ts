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

/** Creates a separate chain with a resolver and three issuers. Each block has another timestamp, unless overridden. */
export async function createResolverSuite(override: { allowBlocksWithSameTimestamp?: boolean } = {}) {
  const { ethers, networkHelpers } = await network.create({ override });
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
    /** Blocks `account` for `seconds`, and returns the time of the block. */
    async function block(by: Signer, account: Signer, seconds = MAX_BLOCK): Promise<number> {
      const now = (await time.latest()) + 1;
      await time.setNextBlockTimestamp(now);
      await resolver.connect(by).blockController(didHash, account.address, now + seconds);
      return now;
    }
    /** Returns the run of `by` about `controller` in plain numbers, or `undefined` if `by` stated nothing. */
    async function findRun(by: Signer, controller: Signer) {
      const views = await resolver.getDIDAttestations(didHash, controller.address);
      const view = views.find(({ issuer: account }) => account === by.address);
      if (!view) return undefined;
      const { startedAt, statedAt, maturesAt, expiresAt, endedAt, revokedAt } = view;
      const { live, matured, overdue, blocked } = view;
      return {
        startedAt: Number(startedAt),
        statedAt: Number(statedAt),
        maturesAt: Number(maturesAt),
        expiresAt: Number(expiresAt),
        endedAt: Number(endedAt),
        revokedAt: Number(revokedAt),
        ...{ live, matured, overdue, blocked },
      };
    }

    /** Attests two controllers of a DID, waits until both control it, and returns the time. */
    async function claimWithTwo(): Promise<number> {
      await attest(issuer, first);
      await attest(issuer, second);
      await time.increase(2 * MATURATION);
      return time.latest();
    }
    return {
      ...{ resolver, signers, owner, issuer, issuer2, issuer3, first, second, third, stranger },
      ...{ attest, revoke, block, runOf: findRun, claimWithTwo },
    };
  }
  return { ethers, time, at, next, networkHelpers, deployResolver, load: () => loadFixture(deployResolver) };
}

export type ResolverSuite = Awaited<ReturnType<typeof createResolverSuite>>;
