import type { HardhatEthersSigner } from "@nomicfoundation/hardhat-ethers/types";
import { expect } from "chai";
import { id } from "ethers";
import { network } from "hardhat";
import type { AppRegistry, ResolverWithStore } from "../../packages/sdk/generated/ethers/index.ts";
import { DID, didHash, mintArguments, updateArguments } from "../registry/fixture.ts";
import { signStatement } from "../resolver/statements.ts";

export type Account = HardhatEthersSigner;

const controllers = [
  "publisher",
  "partner",
  "seller",
  "buyer",
  "stranger",
  "thief",
  "friend",
  "sleeper",
] as const;
/** Names of the owner, of three issuers, of an issuer to be added, and of an account that submits signatures. */
const officers = ["owner", "ada", "ben", "cleo", "newIssuer", "carrier"] as const;

export const hours = (count: number) => count * 3_600;
export const days = (count: number) => count * 86_400;
export const MATURATION = days(2);
export const GRACE = days(7);
export const MAX_TTL = days(365);
export const CHALLENGE_PERIOD = days(7);

/** Lifetime of a statement in seconds; defaults to the longest. */
interface Lifetime {
  for?: number;
}

interface Signing extends Lifetime {
  /** Seconds by which the signature is dated back. */
  datedBack?: number;
}

/** Creates a chain for attacks on one DID, with three issuers and accounts named after their roles. */
export async function createWorld() {
  const { ethers, networkHelpers } = await network.create();
  const { time, loadFixture } = networkHelpers;

  async function deployWorld() {
    const signers = await ethers.getSigners();
    const named = <Name extends string>(names: readonly Name[]) =>
      Object.fromEntries(names.map((name) => [name, signers.shift()])) as Record<Name, Account>;
    const { owner, ada, ben, cleo, newIssuer, carrier } = named(officers);
    const people = named(controllers);
    const resolver: ResolverWithStore = await ethers.deployContract("ResolverWithStore", [
      owner.address,
      MATURATION,
      CHALLENGE_PERIOD,
      MAX_TTL,
    ]);
    for (const issuer of [ada, ben, cleo]) await resolver.addIssuer(issuer.address);
    const registry: AppRegistry = await ethers.deployContract("AppRegistry", [await resolver.getAddress()]);

    /** Returns the second in which the next transaction is mined, unless a test moves the clock. */
    const soon = async () => (await time.latest()) + 1;
    const until = async (seconds?: number) => (seconds === undefined ? 0 : (await soon()) + seconds);

    /** Signs a statement of an issuer about an account, and returns a function that submits it. */
    async function signs(
      issuer: Account,
      type: "AttestDID" | "RevokeDID",
      account: Account,
      options: Signing = {},
    ) {
      const statedAt = (await time.latest()) - (options.datedBack ?? 0);
      const expiresAt = options.for === undefined ? 0 : statedAt + options.for;
      const statement = { didHash, controller: account.address, expiresAt };
      const fields = { statedAt, deadline: statedAt + days(1) };
      const signature = await signStatement({ resolver, signer: issuer, type, statement, fields });
      const carrying = resolver.connect(carrier);
      return () =>
        type === "AttestDID"
          ? carrying.attestDIDBySignature(statement, signature)
          : carrying.revokeDIDBySignature(didHash, account.address, signature);
    }

    const world = {
      ...{ resolver, registry, owner, ada, ben, cleo, newIssuer, carrier, ...people, soon, signs },
      now: () => time.latest(),
      passes: (seconds: number) => time.increase(seconds),
      /** Hash of the DID under attack. */
      did: didHash,
      /** Sets the second in which the next transaction is mined. */
      nextAt: (timestamp: number) => time.setNextBlockTimestamp(timestamp),

      attests: async (issuer: Account, account: Account, options: Lifetime = {}) =>
        resolver.connect(issuer).attestDID(didHash, account.address, await until(options.for)),
      revokes: (issuer: Account, account: Account) =>
        resolver.connect(issuer).revokeDID(didHash, account.address),
      attestsDocument: async (issuer: Account, document: string, options: Lifetime = {}) =>
        resolver.connect(issuer).attestDataHash(didHash, id(document), await until(options.for)),
      revokesDocument: (issuer: Account, document: string) =>
        resolver.connect(issuer).revokeDataHash(didHash, id(document)),

      inBatch: (issuer: Account, call: "attestDIDBatch" | "revokeDIDBatch", ...accounts: Account[]) =>
        resolver
          .connect(issuer)
          [call](accounts.map(({ address }) => ({ didHash, controller: address, expiresAt: 0 }))),

      blocks: async (controller: Account, account: Account, seconds = days(30)) =>
        resolver.connect(controller).blockController(didHash, account.address, (await soon()) + seconds),
      /** Tries to end the block on the sleeper. */
      unblocksAs: (controller: Account) =>
        resolver.connect(controller).unblockController(didHash, people.sleeper.address),
      challenges: (challenger: Account, incumbent: Account) =>
        resolver.connect(challenger).challengeDID(didHash, incumbent.address),
      resolves: (challenger: Account, incumbent: Account) =>
        resolver.connect(carrier).resolveChallenge(didHash, incumbent.address, challenger.address),

      adds: (issuer: Account) => resolver.addIssuer(issuer.address),
      retires: (issuer: Account) => resolver.retireIssuer(issuer.address),
      distrusts: (issuer: Account, since: number) => resolver.distrustIssuer(issuer.address, since),
      ends: (issuer: Account, account: Account) =>
        resolver.endDIDAttestation(didHash, account.address, issuer.address),

      controls: (account: Account) => resolver.checkDID(didHash, account.address),
      isAttested: (document: string) => resolver.checkDataHashAttestation(didHash, id(document)),
      score: (account: Account) => resolver.ownershipScore(didHash, account.address),
      resistance: async (account: Account) =>
        (await resolver.getController(didHash, account.address)).resistance,

      mints: (account: Account, version: [number, number, number] = [1, 0, 0]) =>
        registry.connect(account).mint(...mintArguments({ version })),
      updates: (account: Account, version: [number, number, number]) =>
        registry.connect(account).updateAppControlled(...updateArguments({ version })),
      opensReclaim: (claimant: Account) => registry.connect(claimant).openReclaim(DID, 1),
      finishesReclaim: (claimant: Account) => registry.connect(claimant).finishReclaim(DID, 1),

      /** Expects an error of the resolver or the registry. */
      refuses: async (action: Promise<unknown>, error: string) => {
        const contract = resolver.interface.getError(error) ? resolver : registry;
        await expect(action).to.be.revertedWithCustomError(contract, error);
      },
    };

    /** Lets `issuers` attest an account, and waits until its runs have matured. */
    async function matures(account: Account, ...issuers: Account[]) {
      for (const issuer of issuers) await world.attests(issuer, account);
      await world.passes(2 * MATURATION);
    }
    return { ...world, matures };
  }
  return { load: () => loadFixture(deployWorld) };
}

export type World = Awaited<ReturnType<Awaited<ReturnType<typeof createWorld>>["load"]>>;
