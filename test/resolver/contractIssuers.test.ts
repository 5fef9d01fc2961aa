import { expect } from "chai";
import { createResolverSuite, didHash, HOUR } from "./fixture.ts";
import { setupStatement } from "./statements.ts";

const suite = await createResolverSuite();
const { ethers, time, at, networkHelpers } = suite;

describe("Signature of a contract (ERC-1271)", () => {
  async function setupWallet() {
    const statement = await setupStatement(suite, "AttestDID");
    const { resolver, stranger } = statement;
    const wallet = await ethers.deployContract("SignatureWallet", [stranger.address]);
    const address = await wallet.getAddress();
    await resolver.addIssuer(address);
    const statedAt = (await time.latest()) + 1;
    await at(statedAt);
    const fields = { issuer: address, statedAt, deadline: statedAt + HOUR };
    return { ...statement, wallet, address, fields };
  }

  it("is valid if the contract accepts it", async () => {
    const { resolver, stranger, sign, carry, fields, first, address } = await setupWallet();
    await carry(await sign({ signer: stranger, fields }));
    const [view] = await resolver.getDIDAttestations(didHash, first);
    expect([view?.issuer, view?.statedAt]).to.deep.equal([address, BigInt(fields.statedAt)]);
  });

  it("is invalid if the contract refuses it", async () => {
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

  it("is invalid for a key that delegates to the contract (EIP-7702), which signs itself", async () => {
    const { resolver, wallet, address, sign, carry, fields, first, stranger } = await setupWallet();
    const key = ethers.Wallet.createRandom();
    await resolver.addIssuer(key.address);
    // The wallet's signer is in slot 0, of the account that delegates to it.
    const signer = ethers.zeroPadValue(stranger.address, 32);
    await networkHelpers.setStorageAt(key.address, 0, signer);
    await networkHelpers.setCode(key.address, ethers.concat(["0xef0100", address]));
    const delegating = wallet.attach(key.address);
    expect(await delegating.getFunction("signer")()).to.equal(stranger.address);
    const now = (await time.latest()) + 1;
    await at(now);
    const mine = { ...fields, issuer: key.address, statedAt: now, deadline: now + HOUR };
    await expect(carry(await sign({ signer: stranger, fields: mine })))
      .to.be.revertedWithCustomError(resolver, "InvalidSignature")
      .withArgs(key.address);
    const own = await sign({ signer: key as unknown as typeof first, fields: mine });
    await expect(carry(own)).to.emit(resolver, "DIDAttested");
  });
});
