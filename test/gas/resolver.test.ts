import { expect } from "chai";
import { Wallet } from "ethers";
import {
  createResolverSuite,
  didHash,
  MATURATION,
  OBJECTION_TIME,
  type Signer,
} from "../resolver/fixture.ts";

const { ethers, time, load } = await createResolverSuite();

describe("The price of a check, in a transaction of its own", () => {
  /** A transaction to the view. */
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
   * Sixteen issuers stated all that can be read: of an account whose attestations settled a week ago, and of the
   * authors of four objections, each of which is weighed because each falls one issuer short. Measured: 694,309.
   */
  it("is at most 715,000 gas under four objections by controllers with sixteen issuers", async () => {
    const { resolver, signers } = await load();
    const issuers = signers.slice(1, 17);
    const authors = [0, 17, 18, 19].map((i) => signers[i] as Signer);
    const account = Wallet.createRandom().address;
    const attestAll = async (by: Signer, accounts: string[]) => {
      const entries = accounts.map((controller) => ({ didHash, controller, expiresAt: 0 }));
      await resolver.connect(by).attestDIDBatch(entries);
    };
    for (const issuer of issuers.slice(3, 15)) await resolver.addIssuer(issuer);
    const authorAddresses = authors.map(({ address }) => address);
    for (const issuer of issuers.slice(0, 15)) await attestAll(issuer, authorAddresses);
    await time.increase(MATURATION);
    for (const issuer of issuers.slice(0, 15)) await attestAll(issuer, [account]);
    for (const author of authors) await resolver.connect(author).objectToController(didHash, account);
    // The last seat is given only when no issuer is active.
    for (const issuer of issuers.slice(0, 15)) await resolver.retireIssuer(issuer);
    const last = issuers[15] as Signer;
    await resolver.addIssuer(last);
    await attestAll(last, [account]);
    await resolver
      .connect(last)
      .revokeDIDBatch(authorAddresses.map((controller) => ({ didHash, controller, expiresAt: 0 })));
    await time.increase(MATURATION + OBJECTION_TIME);

    const objections = await resolver.getObjections(didHash, account);
    expect(objections.map(({ standing, inForce }) => [standing, inForce])).to.deep.equal(
      Array(4).fill([15n, false]),
    );
    expect(await resolver.ownershipScore(didHash, account)).to.equal(16);
    expect(await resolver.checkDID(didHash, account)).to.equal(true);
    expect(await priceOfCheck(resolver, account)).to.be.at.most(715_000);
  });
});

describe("The resolver's code", () => {
  it("is at most 22,000 bytes", async () => {
    const { resolver } = await load();
    const code = await ethers.provider.getCode(await resolver.getAddress());
    expect(ethers.dataLength(code)).to.be.at.most(22_000);
  });
});
