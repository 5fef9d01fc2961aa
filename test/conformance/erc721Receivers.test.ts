import { expect } from "chai";
import type { TokenReceiver } from "../../packages/sdk/generated/ethers/index.ts";
import { createRegistrySuite } from "../registry/fixture.ts";

const { ethers, load } = await createRegistrySuite();

const withData = "safeTransferFrom(address,address,uint256,bytes)";
const withoutData = "safeTransferFrom(address,address,uint256)";
/** First byte of the data, which selects the receiver's response. */
const Answer = { accept: "0x00", otherSelector: "0x01", error: "0x02", noReason: "0x03", panic: "0x04" };

async function setup() {
  const suite = await load();
  await suite.publish();
  const receiver: TokenReceiver = await ethers.deployContract("TokenReceiver");
  return { ...suite, receiver, mine: suite.registry.connect(suite.publisher) };
}

describe("safeTransferFrom", () => {
  for (const [name, parameters] of [
    ["without data", []],
    ["with data", ["0x00c0ffee"]],
  ] as const) {
    describe(`to an account, ${name}`, () => {
      it("moves the token", async () => {
        const { registry, mine, publisher, buyer } = await setup();
        const move = mine.getFunction(parameters.length > 0 ? withData : withoutData);
        await expect(move(publisher, buyer, 1, ...parameters))
          .to.emit(registry, "Transfer")
          .withArgs(publisher, buyer, 1);
        expect(await registry.ownerOf(1)).to.equal(buyer);
      });
    });

    describe(`to an accepting contract, ${name}`, () => {
      it("moves the token", async () => {
        const { registry, mine, publisher, receiver } = await setup();
        const move = mine.getFunction(parameters.length > 0 ? withData : withoutData);
        await move(publisher, receiver, 1, ...parameters);
        expect(await registry.ownerOf(1)).to.equal(receiver);
      });
    });
  }

  describe("to a refusing contract", () => {
    it("passes operator, former holder, token and data, and reverts with the contract's error", async () => {
      const { registry, publisher, operator, receiver, mine } = await setup();
      await mine.setApprovalForAll(operator, true);
      await expect(registry.connect(operator)[withData](publisher, receiver, 1, "0x02c0ffee"))
        .to.be.revertedWithCustomError(receiver, "TransferRefused")
        .withArgs(operator, publisher, 1, "0x02c0ffee");
      expect(await registry.ownerOf(1)).to.equal(publisher);
    });

    it("reverts with the contract's panic", async () => {
      const { registry, publisher, receiver, mine } = await setup();
      await expect(mine[withData](publisher, receiver, 1, Answer.panic)).to.be.revertedWithPanic(0x01);
      expect(await registry.ownerOf(1)).to.equal(publisher);
    });

    for (const [name, answer] of [
      ["returns another selector", Answer.otherSelector],
      ["reverts without a reason", Answer.noReason],
    ] as const) {
      it(`reverts with ERC721InvalidReceiver if the contract ${name}`, async () => {
        const { registry, publisher, receiver, mine } = await setup();
        await expect(mine[withData](publisher, receiver, 1, answer))
          .to.be.revertedWithCustomError(registry, "ERC721InvalidReceiver")
          .withArgs(receiver);
        expect(await registry.ownerOf(1)).to.equal(publisher);
      });
    }
  });

  describe("to a contract without onERC721Received", () => {
    it("reverts with ERC721InvalidReceiver, with or without data", async () => {
      const { registry, resolver, publisher, mine } = await setup();
      const sent = [
        () => mine[withoutData](publisher, resolver, 1),
        () => mine[withData](publisher, resolver, 1, Answer.accept),
      ];
      for (const send of sent) {
        await expect(send())
          .to.be.revertedWithCustomError(registry, "ERC721InvalidReceiver")
          .withArgs(await resolver.getAddress());
      }
      await mine.transferFrom(publisher, resolver, 1);
      expect(await registry.ownerOf(1)).to.equal(resolver);
    });
  });

  describe("without the right to transfer the token", () => {
    it("reverts before it calls the receiver", async () => {
      const { registry, publisher, buyer, stranger, receiver, mine } = await setup();
      await expect(registry.connect(stranger)[withData](publisher, receiver, 1, Answer.error))
        .to.be.revertedWithCustomError(registry, "ERC721InsufficientApproval")
        .withArgs(stranger, 1);
      await expect(mine[withData](buyer, receiver, 1, Answer.error))
        .to.be.revertedWithCustomError(registry, "ERC721IncorrectOwner")
        .withArgs(buyer, 1, publisher);
      await expect(mine[withData](publisher, receiver, 2, Answer.error))
        .to.be.revertedWithCustomError(registry, "ERC721NonexistentToken")
        .withArgs(2);
    });
  });
});
