import { expect } from "chai";
import { ZeroAddress } from "ethers";
import { createRegistrySuite, DATA_URL, DID } from "../registry/fixture.ts";

const { load } = await createRegistrySuite();

describe("The token of a record", () => {
  describe("when somebody asks what it is", () => {
    it("names itself", async () => {
      const { registry } = await load();
      expect(await registry.name()).to.equal("App Registry");
      expect(await registry.symbol()).to.equal("APP");
    });

    it("has the dataUrl as its tokenURI, the current one", async () => {
      const { registry, publisher, publish, update } = await load();
      await publish();
      expect(await registry.tokenURI(1)).to.equal(DATA_URL);
      await update(publisher, { dataUrl: "https://example.com/next" });
      expect(await registry.tokenURI(1)).to.equal("https://example.com/next");
    });

    it("is numbered from 1 in order of minting", async () => {
      const { registry, publish } = await load();
      for (const major of [1, 2, 3]) await publish({ version: [major, 0, 0] });
      expect(await registry.totalSupply()).to.equal(3);
      for (const index of [0, 1, 2]) expect(await registry.tokenByIndex(index)).to.equal(index + 1);
      await expect(registry.tokenByIndex(3))
        .to.be.revertedWithCustomError(registry, "TokenNotFound")
        .withArgs(4);
    });

    it("does not exist before it is minted", async () => {
      const { registry } = await load();
      for (const read of [registry.ownerOf, registry.tokenURI, registry.getApproved]) {
        await expect(read(1)).to.be.revertedWithCustomError(registry, "ERC721NonexistentToken").withArgs(1);
      }
      await expect(registry.balanceOf(ZeroAddress))
        .to.be.revertedWithCustomError(registry, "ERC721InvalidOwner")
        .withArgs(ZeroAddress);
    });
  });

  describe("when an account is approved", () => {
    it("is so for one token, until another takes its place or none", async () => {
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

    it("approves nobody in turn, as no stranger does", async () => {
      const { registry, publisher, operator, buyer, stranger, publish } = await load();
      await publish();
      await registry.connect(publisher).approve(operator, 1);
      for (const caller of [operator, stranger]) {
        await expect(registry.connect(caller).approve(buyer, 1))
          .to.be.revertedWithCustomError(registry, "ERC721InvalidApprover")
          .withArgs(caller);
      }
    });

    it("needs a token", async () => {
      const { registry, publisher, operator } = await load();
      await expect(registry.connect(publisher).approve(operator, 1))
        .to.be.revertedWithCustomError(registry, "ERC721NonexistentToken")
        .withArgs(1);
    });
  });

  describe("when an operator is approved for all of a holder's tokens", () => {
    it("is so until the holder takes it back, and both are said in an event", async () => {
      const { registry, publisher, buyer, operator } = await load();
      for (const approved of [true, false]) {
        await expect(registry.connect(publisher).setApprovalForAll(operator, approved))
          .to.emit(registry, "ApprovalForAll")
          .withArgs(publisher, operator, approved);
        expect(await registry.isApprovedForAll(publisher, operator)).to.equal(approved);
        expect(await registry.isApprovedForAll(buyer, operator)).to.equal(false);
      }
    });

    it("approves an account for a token", async () => {
      const { registry, publisher, buyer, operator, publish } = await load();
      await publish();
      await registry.connect(publisher).setApprovalForAll(operator, true);
      await expect(registry.connect(operator).approve(buyer, 1))
        .to.emit(registry, "Approval")
        .withArgs(publisher, buyer, 1);
    });

    it("moves nothing that is another's, and nothing once it is taken back", async () => {
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

    it("is not the zero address", async () => {
      const { registry, publisher } = await load();
      await expect(registry.connect(publisher).setApprovalForAll(ZeroAddress, true))
        .to.be.revertedWithCustomError(registry, "ERC721InvalidOperator")
        .withArgs(ZeroAddress);
    });
  });

  describe("when it is transferred", () => {
    it("moves with balances, and says so", async () => {
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

    it("loses its approval, and its holder keeps those for all tokens", async () => {
      const { registry, publisher, buyer, operator, stranger, publish } = await load();
      await publish();
      await registry.connect(publisher).setApprovalForAll(operator, true);
      await registry.connect(publisher).approve(stranger, 1);
      await registry.connect(publisher).transferFrom(publisher, buyer, 1);
      expect(await registry.getApproved(1)).to.equal(ZeroAddress);
      expect(await registry.isApprovedForAll(publisher, operator)).to.equal(true);
      expect(await registry.isApprovedForAll(buyer, operator)).to.equal(false);
    });

    it("moves by an approved account once, and the approval ends", async () => {
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

    it("moves by an operator for all of the holder's tokens", async () => {
      const { registry, publisher, buyer, operator, publish } = await load();
      await publish();
      await registry.connect(publisher).setApprovalForAll(operator, true);
      await registry.connect(operator).transferFrom(publisher, buyer, 1);
      expect(await registry.ownerOf(1)).to.equal(buyer);
    });

    it("stays the holder's own in a transfer to itself", async () => {
      const { registry, publisher, publish } = await load();
      await publish();
      await registry.connect(publisher).transferFrom(publisher, publisher, 1);
      expect(await registry.balanceOf(publisher)).to.equal(1);
      expect((await registry.getAppsByOwner(publisher, 0, 10)).page).to.have.lengthOf(1);
    });

    it("keeps minter and record", async () => {
      const { registry, publisher, buyer, publish } = await load();
      await publish();
      const before = await registry.getApp(DID, 1);
      await registry.connect(publisher).transferFrom(publisher, buyer, 1);
      expect(await registry.getApp(DID, 1)).to.deep.equal(before);
    });

    it("refuses strangers, a wrong sender, the zero address and a token that does not exist", async () => {
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
});
