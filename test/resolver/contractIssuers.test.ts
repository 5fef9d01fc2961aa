import { expect } from "chai";
import { createResolverSuite, dataHash, didHash, HOUR } from "./fixture.ts";
import { setupStatement, signStatement, statementEvents, statements } from "./statements.ts";

const suite = await createResolverSuite();
const { ethers, time, at } = suite;

for (const type of statements) {
  describe(`${type} by the signature of a contract (ERC-1271)`, () => {
    async function setupWallet() {
      const statement = await setupStatement(suite, type);
      const { resolver, stranger, issuer } = statement;
      const wallet = await ethers.deployContract("SignatureWallet", [stranger.address]);
      const address = await wallet.getAddress();
      await resolver.removeIssuer(issuer.address);
      await resolver.addIssuer(address);
      const issuedAt = (await time.latest()) + 1;
      await at(issuedAt);
      const fields = { issuer: address, epoch: 4, issuedAt, deadline: issuedAt + HOUR };
      return { ...statement, wallet, address, fields };
    }

    it("takes the signature that the contract takes", async () => {
      const { resolver, stranger, sign, carry, fields, first, isRevocation, isOfDID } = await setupWallet();
      if (isRevocation) {
        const attest = await signStatement({
          ...{ resolver, signer: stranger, fields: { ...fields, nonce: 1 } },
          type: isOfDID ? "AttestDID" : "AttestDataHash",
          statement: { didHash, controller: first.address, dataHash, expiresAt: 0 },
        });
        await (isOfDID
          ? resolver.attestDIDBySignature({ didHash, controller: first.address, expiresAt: 0 }, attest)
          : resolver.attestDataHashBySignature({ didHash, dataHash, expiresAt: 0 }, attest));
      }
      await expect(carry(await sign({ signer: stranger, fields }))).to.emit(resolver, statementEvents[type]);
    });

    it("refuses what the contract refuses", async () => {
      const { resolver, wallet, stranger, first, sign, carry, fields, address } = await setupWallet();
      await expect(carry(await sign({ signer: first, fields })))
        .to.be.revertedWithCustomError(resolver, "InvalidSignature")
        .withArgs(address);
      const signature = await sign({ signer: stranger, fields });
      await wallet.connect(stranger).setSigner(first.address);
      await expect(carry(signature))
        .to.be.revertedWithCustomError(resolver, "InvalidSignature")
        .withArgs(address);
    });
  });
}
