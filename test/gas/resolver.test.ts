import { expect } from "chai";
import { Wallet } from "ethers";
import { artifacts } from "hardhat";
import {
  CHALLENGE_PERIOD,
  createResolverSuite,
  didHash,
  MATURATION,
  MAX_BLOCK,
  type Signer,
} from "../resolver/fixture.ts";

const { ethers, time, load } = await createResolverSuite();

describe("Gas of checkDID in its own transaction", () => {
  /** Sends a transaction to `checkDID` and returns the gas it used. */
  async function priceOfCheck(resolver: Awaited<ReturnType<typeof load>>["resolver"], account: string) {
    const data = resolver.interface.encodeFunctionData("checkDID", [didHash, account]);
    const [caller] = await ethers.getSigners();
    const sent = await (caller as Signer).sendTransaction({ to: await resolver.getAddress(), data });
    return (await sent.wait())?.gasUsed ?? 0n;
  }

  it("is at most 28,700 gas for a DID's first controller", async () => {
    const { resolver, issuer, first, attest } = await load();
    await attest(issuer, first);
    expect(await priceOfCheck(resolver, first.address)).to.be.at.most(28_700);
  });

  /**
   * Worst case: sixteen issuers attested the account, and their runs counted against the block after the challenge
   * period. One of them is revoked, so the block still applies. `checkDID` has to read every run.
   */
  it("is at most 250,000 gas for a blocked account with sixteen issuers", async () => {
    const { resolver, signers, first } = await load();
    const issuers = [...signers.slice(1, 4), ...signers.slice(8, 20)].slice(0, 15) as Signer[];
    for (const issuer of issuers.slice(3)) await resolver.addIssuer(issuer);
    const account = Wallet.createRandom().address;
    const attest = (by: Signer, ...accounts: string[]) =>
      resolver
        .connect(by)
        .attestDIDBatch(accounts.map((controller) => ({ didHash, controller, expiresAt: 0 })));
    for (const issuer of issuers) await attest(issuer, first.address);
    await time.increase(2 * MATURATION);
    for (const issuer of issuers) await attest(issuer, account);
    // The last seat is assigned only while no issuer is active.
    for (const issuer of issuers) await resolver.retireIssuer(issuer);
    const last = signers[0] as Signer;
    await resolver.addIssuer(last);
    await attest(last, account, first.address);
    await resolver.connect(last).revokeDID(didHash, account);
    const until = async () => (await time.latest()) + MAX_BLOCK;
    await resolver.connect(first).blockController(didHash, account, await until());
    await time.increase(MATURATION + CHALLENGE_PERIOD);

    expect(await resolver.ownershipScore(didHash, account)).to.equal(15);
    expect(await resolver.checkDID(didHash, account)).to.equal(false);
    const price = await priceOfCheck(resolver, account);
    expect(price).to.be.at.most(250_000);
  });
});

describe("Gas of a batch of blocks", () => {
  /** Gas limit of a transaction on Ethereum (EIP-7825). */
  const TRANSACTION_GAS = 2 ** 24;

  for (const [issuerCount, entries] of [
    [3, 350],
    [15, 144],
  ] as const) {
    it(`lets ${entries} accounts be blocked in one transaction with ${issuerCount} issuers`, async () => {
      const { resolver, signers, first } = await load();
      const issuers = [...signers.slice(1, 4), ...signers.slice(8, 20)].slice(0, issuerCount) as Signer[];
      for (const issuer of issuers.slice(3)) await resolver.addIssuer(issuer);
      for (const issuer of issuers) await resolver.connect(issuer).attestDID(didHash, first.address, 0);
      await time.increase(2 * MATURATION);
      const accounts = Array.from({ length: 40 }, () => Wallet.createRandom().address);
      const attestations = accounts.map((controller) => ({ didHash, controller, expiresAt: 0 }));
      for (const issuer of issuers) await resolver.connect(issuer).attestDIDBatch(attestations);
      const until = (await time.latest()) + MAX_BLOCK;
      const requests = accounts.map((account) => ({ didHash, account, until }));
      const batch = resolver.connect(first).blockControllerBatch;
      const price = async (length: number) => Number(await batch.estimateGas(requests.slice(0, length)));
      const [whole, early] = [await price(40), (await price(12)) - (await price(10))];
      // Two more entries cost the same at the start and at the end of the list.
      const late = whole - (await price(38));
      expect(late).to.be.closeTo(early, 500);
      expect(whole + ((entries - 40) / 2) * late).to.be.below(TRANSACTION_GAS);
      await batch(requests);
      expect((await resolver.getBlock(didHash, accounts.at(-1) as string)).weight).to.equal(issuerCount);
    });
  }
});

describe("Contract code size", () => {
  it("is at most 20,000 bytes each", async () => {
    for (const name of ["ResolverWithStore", "AppRegistry", "AppMetadata"]) {
      const { deployedBytecode } = await artifacts.readArtifact(name);
      expect(ethers.dataLength(deployedBytecode)).to.be.at.most(20_000);
    }
  });
});
