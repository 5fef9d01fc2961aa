import { expect } from "chai";
import { ZeroAddress } from "ethers";
import type { TokenReceiver } from "../../packages/sdk/generated/ethers/index.ts";
import { createRegistrySuite, DATA_URL, DAY, DID, type Signer } from "../registry/fixture.ts";

const { ethers, time, load } = await createRegistrySuite();

describe("Record token (ERC-721)", () => {
  describe("metadata and enumeration", () => {
    it("returns its name and symbol", async () => {
      const { registry } = await load();
      expect(await registry.name()).to.equal("App Registry");
      expect(await registry.symbol()).to.equal("APP");
    });

    it("returns the record's current dataUrl as tokenURI", async () => {
      const { registry, publisher, publish, update } = await load();
      await publish();
      expect(await registry.tokenURI(1)).to.equal(DATA_URL);
      await update(publisher, { dataUrl: "https://example.com/next" });
      expect(await registry.tokenURI(1)).to.equal("https://example.com/next");
    });

    it("numbers tokens from 1 in order of minting", async () => {
      const { registry, publish } = await load();
      for (const major of [1, 2, 3]) {
        await publish({ version: [major, 0, 0] });
        await time.increase(DAY);
      }
      expect(await registry.totalSupply()).to.equal(3);
      for (const index of [0, 1, 2]) expect(await registry.tokenByIndex(index)).to.equal(index + 1);
      await expect(registry.tokenByIndex(3))
        .to.be.revertedWithCustomError(registry, "TokenNotFound")
        .withArgs(4);
    });

    it("reverts for a token that does not exist and for the zero address", async () => {
      const { registry } = await load();
      for (const read of [registry.ownerOf, registry.tokenURI, registry.getApproved]) {
        await expect(read(1)).to.be.revertedWithCustomError(registry, "ERC721NonexistentToken").withArgs(1);
      }
      await expect(registry.balanceOf(ZeroAddress))
        .to.be.revertedWithCustomError(registry, "ERC721InvalidOwner")
        .withArgs(ZeroAddress);
    });
  });

  describe("approval of an account for one token", () => {
    it("applies to that token until another approval replaces or clears it", async () => {
      const { registry, publisher, operator, buyer, publish } = await load();
      await publish();
      await publish({ version: [2, 0, 0] });
      const mine = registry.connect(publisher);
      for (const approved of [operator.address, buyer.address, ZeroAddress]) {
        await expect(mine.approve(approved, 1))
          .to.emit(registry, "Approval")
          .withArgs(publisher, approved, 1);
        expect(await registry.getApproved(1)).to.equal(approved);
        expect(await registry.getApproved(2)).to.equal(ZeroAddress);
      }
    });

    it("does not let the approved account or a stranger approve others", async () => {
      const { registry, publisher, operator, buyer, stranger, publish } = await load();
      await publish();
      await registry.connect(publisher).approve(operator, 1);
      for (const caller of [operator, stranger]) {
        await expect(registry.connect(caller).approve(buyer, 1))
          .to.be.revertedWithCustomError(registry, "ERC721InvalidApprover")
          .withArgs(caller);
      }
    });

    it("reverts if the token does not exist", async () => {
      const { registry, publisher, operator } = await load();
      await expect(registry.connect(publisher).approve(operator, 1))
        .to.be.revertedWithCustomError(registry, "ERC721NonexistentToken")
        .withArgs(1);
    });
  });

  describe("approval of an operator for all tokens", () => {
    it("lasts until the holder revokes it, and emits ApprovalForAll for both", async () => {
      const { registry, publisher, buyer, operator } = await load();
      for (const approved of [true, false]) {
        await expect(registry.connect(publisher).setApprovalForAll(operator, approved))
          .to.emit(registry, "ApprovalForAll")
          .withArgs(publisher, operator, approved);
        expect(await registry.isApprovedForAll(publisher, operator)).to.equal(approved);
        expect(await registry.isApprovedForAll(buyer, operator)).to.equal(false);
      }
    });

    it("lets the operator approve an account for one token", async () => {
      const { registry, publisher, buyer, operator, publish } = await load();
      await publish();
      await registry.connect(publisher).setApprovalForAll(operator, true);
      await expect(registry.connect(operator).approve(buyer, 1))
        .to.emit(registry, "Approval")
        .withArgs(publisher, buyer, 1);
    });

    it("does not let the operator transfer tokens of other holders, or after it was revoked", async () => {
      const { registry, publisher, buyer, second, operator, publish } = await load();
      await publish();
      await registry.connect(buyer).setApprovalForAll(operator, true);
      await registry.connect(publisher).setApprovalForAll(second, true);
      await registry.connect(publisher).setApprovalForAll(second, false);
      for (const caller of [operator, second]) {
        await expect(registry.connect(caller).transferFrom(publisher, buyer, 1))
          .to.be.revertedWithCustomError(registry, "ERC721InsufficientApproval")
          .withArgs(caller, 1);
      }
    });

    it("refuses the zero address as operator", async () => {
      const { registry, publisher } = await load();
      await expect(registry.connect(publisher).setApprovalForAll(ZeroAddress, true))
        .to.be.revertedWithCustomError(registry, "ERC721InvalidOperator")
        .withArgs(ZeroAddress);
    });
  });

  describe("transferFrom", () => {
    it("moves the token, updates both balances and emits Transfer", async () => {
      const { registry, publisher, buyer, publish } = await load();
      await publish();
      await publish({ version: [2, 0, 0] });
      await expect(registry.connect(publisher).transferFrom(publisher, buyer, 1))
        .to.emit(registry, "Transfer")
        .withArgs(publisher, buyer, 1);
      expect(await registry.ownerOf(1)).to.equal(buyer);
      expect(await registry.balanceOf(publisher)).to.equal(1);
      expect(await registry.balanceOf(buyer)).to.equal(1);
    });

    it("clears the token's approval and keeps the holder's operators", async () => {
      const { registry, publisher, buyer, operator, stranger, publish } = await load();
      await publish();
      await registry.connect(publisher).setApprovalForAll(operator, true);
      await registry.connect(publisher).approve(stranger, 1);
      await registry.connect(publisher).transferFrom(publisher, buyer, 1);
      expect(await registry.getApproved(1)).to.equal(ZeroAddress);
      expect(await registry.isApprovedForAll(publisher, operator)).to.equal(true);
      expect(await registry.isApprovedForAll(buyer, operator)).to.equal(false);
    });

    it("lets an approved account transfer the token once", async () => {
      const { registry, publisher, buyer, operator, publish } = await load();
      await publish();
      await expect(registry.connect(publisher).approve(operator, 1))
        .to.emit(registry, "Approval")
        .withArgs(publisher, operator, 1);
      await registry.connect(operator).transferFrom(publisher, buyer, 1);
      expect(await registry.getApproved(1)).to.equal(ZeroAddress);
      await expect(registry.connect(operator).transferFrom(buyer, publisher, 1))
        .to.be.revertedWithCustomError(registry, "ERC721InsufficientApproval")
        .withArgs(operator, 1);
    });

    it("lets an operator of the holder transfer the token", async () => {
      const { registry, publisher, buyer, operator, publish } = await load();
      await publish();
      await registry.connect(publisher).setApprovalForAll(operator, true);
      await registry.connect(operator).transferFrom(publisher, buyer, 1);
      expect(await registry.ownerOf(1)).to.equal(buyer);
    });

    it("changes nothing if the holder transfers the token to itself", async () => {
      const { registry, publisher, publish } = await load();
      await publish();
      await registry.connect(publisher).transferFrom(publisher, publisher, 1);
      expect(await registry.balanceOf(publisher)).to.equal(1);
      expect((await registry.getAppsByOwner(publisher, 0, 10)).page).to.have.lengthOf(1);
    });

    it("does not change the minter or the record", async () => {
      const { registry, publisher, buyer, publish } = await load();
      await publish();
      const before = await registry.getApp(DID, 1);
      await registry.connect(publisher).transferFrom(publisher, buyer, 1);
      expect(await registry.getApp(DID, 1)).to.deep.equal(before);
    });

    it("refuses strangers, a wrong `from`, the zero address and a missing token", async () => {
      const { registry, publisher, buyer, stranger, publish } = await load();
      await publish();
      await expect(registry.connect(stranger).transferFrom(publisher, stranger, 1))
        .to.be.revertedWithCustomError(registry, "ERC721InsufficientApproval")
        .withArgs(stranger, 1);
      await expect(registry.connect(publisher).transferFrom(buyer, stranger, 1))
        .to.be.revertedWithCustomError(registry, "ERC721IncorrectOwner")
        .withArgs(buyer, 1, publisher);
      await expect(registry.connect(publisher).transferFrom(publisher, ZeroAddress, 1))
        .to.be.revertedWithCustomError(registry, "ERC721InvalidReceiver")
        .withArgs(ZeroAddress);
      await expect(registry.connect(publisher).transferFrom(publisher, buyer, 2))
        .to.be.revertedWithCustomError(registry, "ERC721NonexistentToken")
        .withArgs(2);
    });
  });

  describe("safeTransferFrom", () => {
    const withData = "safeTransferFrom(address,address,uint256,bytes)";
    const withoutData = "safeTransferFrom(address,address,uint256)";
    const ACCEPTED = "0x00c0ffee";
    const REFUSED = "0x02c0ffee";

    async function setup() {
      const suite = await load();
      await suite.publish();
      const receiver: TokenReceiver = await ethers.deployContract("TokenReceiver");
      return { ...suite, receiver, mine: suite.registry.connect(suite.publisher) };
    }

    for (const [name, data] of [
      ["without data", undefined],
      ["with data", ACCEPTED],
    ] as const) {
      it(`moves the token to an account or an accepting contract, ${name}`, async () => {
        const { registry, mine, publisher, buyer, receiver } = await setup();
        const move = (from: Signer, to: Signer | TokenReceiver) =>
          data ? mine[withData](from, to, 1, data) : mine[withoutData](from, to, 1);
        await registry.connect(buyer).setApprovalForAll(publisher, true);
        await expect(move(publisher, buyer)).to.emit(registry, "Transfer").withArgs(publisher, buyer, 1);
        await move(buyer, receiver);
        expect(await registry.ownerOf(1)).to.equal(receiver);
      });
    }

    it("passes operator, former holder, token and data, and reverts with the contract's error", async () => {
      const { registry, publisher, operator, receiver, mine } = await setup();
      await mine.setApprovalForAll(operator, true);
      await expect(registry.connect(operator)[withData](publisher, receiver, 1, REFUSED))
        .to.be.revertedWithCustomError(receiver, "TransferRefused")
        .withArgs(operator, publisher, 1, REFUSED);
      expect(await registry.ownerOf(1)).to.equal(publisher);
    });

    it("refuses a contract without onERC721Received, to which transferFrom moves the token", async () => {
      const { registry, resolver, publisher, mine } = await setup();
      await expect(mine[withoutData](publisher, resolver, 1))
        .to.be.revertedWithCustomError(registry, "ERC721InvalidReceiver")
        .withArgs(resolver);
      await mine.transferFrom(publisher, resolver, 1);
      expect(await registry.ownerOf(1)).to.equal(resolver);
    });

    it("requires the right to transfer before it calls the receiver", async () => {
      const { registry, publisher, stranger, receiver } = await setup();
      await expect(registry.connect(stranger)[withData](publisher, receiver, 1, REFUSED))
        .to.be.revertedWithCustomError(registry, "ERC721InsufficientApproval")
        .withArgs(stranger, 1);
    });
  });
});
