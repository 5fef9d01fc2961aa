import { expect } from "chai";
import { ZeroAddress } from "ethers";
import { createResolverSuite, didHash, MATURATION, OBJECTION_TIME, type Signer } from "./fixture.ts";

const { time, load } = await createResolverSuite();

describe("The four objections against an account", () => {
  /** Six controllers of one DID; `weights` says by how many issuers each is attested. */
  async function setup(weights: number[]) {
    const suite = await load();
    const { resolver, issuer, issuer2, issuer3, signers, stranger, attest } = suite;
    const authors = signers.slice(10, 10 + weights.length);
    const issuers = [issuer, issuer2, issuer3];
    for (const [i, author] of authors.entries()) {
      for (const by of issuers.slice(0, weights[i])) await attest(by, author);
    }
    await time.increase(MATURATION);
    const object = (author: Signer | undefined) =>
      resolver.connect(author).objectToController(didHash, stranger);
    const list = async () =>
      (await resolver.getObjections(didHash, stranger)).map((view) => {
        return authors.findIndex(({ address }) => address === view.author);
      });
    const expectReplaced = (author: number, replaced: number | undefined) =>
      expect(object(authors[author]))
        .to.emit(resolver, "ControllerObjected")
        .withArgs(
          ...[didHash, stranger, authors[author]],
          replaced === undefined ? ZeroAddress : authors[replaced],
        );
    return { ...suite, authors, account: stranger, object, list, expectReplaced };
  }

  it("fill one after the other, and a fifth as weighty as the weakest is refused", async () => {
    const { resolver, authors, object, list, expectReplaced } = await setup([1, 1, 2, 1, 1]);
    for (const author of [0, 1, 2, 3]) await expectReplaced(author, undefined);
    expect(await list()).to.deep.equal([0, 1, 2, 3]);
    await expect(object(authors[4])).to.be.revertedWithCustomError(resolver, "TooManyObjections").withArgs(4);
  });

  it("make room for a weightier one by losing the first of the weakest", async () => {
    const { list, object, authors, expectReplaced } = await setup([2, 1, 3, 1, 2]);
    for (const author of authors.slice(0, 4)) await object(author);
    await expectReplaced(4, 1);
    expect(await list()).to.deep.equal([0, 4, 2, 3]);
  });

  it("make room by losing one that is not in force, however weak the new one", async () => {
    const { issuer2, issuer3, list, object, authors, account, attest, expectReplaced } = await setup([
      1, 3, 2, 2, 1,
    ]);
    for (const author of authors.slice(0, 4)) await object(author);
    for (const by of [issuer2, issuer3]) await attest(by, account);
    await time.increase(MATURATION + OBJECTION_TIME);
    await expectReplaced(4, 0);
    expect(await list()).to.deep.equal([4, 1, 2, 3]);
  });

  it("let the account count once each of them is overruled", async () => {
    const { issuer2, issuer3, object, authors, account, attest, counts } = await setup([1, 1, 1, 1]);
    for (const author of authors) await object(author);
    for (const by of [issuer2, issuer3]) await attest(by, account);
    await time.increase(MATURATION + OBJECTION_TIME);
    expect(await counts(account)).to.equal(true);
  });

  it("lose the first that is not in force, before any weaker one", async () => {
    const { issuer, issuer2, issuer3, list, object, authors, account, attest, expectReplaced } = await setup([
      3, 2, 1, 3, 3,
    ]);
    for (const author of authors.slice(0, 4)) await object(author);
    for (const by of [issuer, issuer2, issuer3]) await attest(by, account);
    await time.increase(MATURATION + OBJECTION_TIME);
    await expectReplaced(4, 1);
    expect(await list()).to.deep.equal([0, 4, 2, 3]);
  });

  it("are full of nobody once authors withdraw: their places are free", async () => {
    const { resolver, authors, account, object, list, expectReplaced } = await setup([1, 1, 1, 1, 1, 1]);
    for (const author of authors.slice(0, 4)) await object(author);
    const withdraw = (author: Signer | undefined) =>
      resolver.connect(author).withdrawObjection(didHash, account);
    await expect(withdraw(authors[4]))
      .to.be.revertedWithCustomError(resolver, "NotObjected")
      .withArgs(didHash, account, authors[4]);
    await withdraw(authors[1]);
    expect((await list()).sort()).to.deep.equal([0, 2, 3]);
    await withdraw(authors[3]);
    expect((await list()).sort()).to.deep.equal([0, 2]);
    await expectReplaced(4, undefined);
    await expectReplaced(5, undefined);
    expect((await list()).sort()).to.deep.equal([0, 2, 4, 5]);
    for (const author of [0, 2, 4, 5]) await withdraw(authors[author]);
    expect(await list()).to.deep.equal([]);
  });

  it("show their authors' standing as it is now", async () => {
    const { resolver, issuer3, authors, account, object, revoke } = await setup([3, 2]);
    for (const author of authors) await object(author);
    const read = async () =>
      (await resolver.getObjections(didHash, account)).map(({ author, standing, inForce }) => {
        return [author, standing, inForce];
      });
    const [first, second] = authors.map(({ address }) => address);
    expect(await read()).to.deep.equal([
      [first, 3n, true],
      [second, 2n, true],
    ]);
    await revoke(issuer3, authors[0] as Signer);
    await time.increase(MATURATION);
    expect(await read()).to.deep.equal([
      [first, 2n, true],
      [second, 2n, true],
    ]);
  });

  it("are of one account alone", async () => {
    const { resolver, authors, first, object } = await setup([1, 1]);
    await object(authors[0]);
    expect(await resolver.getObjections(didHash, first)).to.deep.equal([]);
  });
});
