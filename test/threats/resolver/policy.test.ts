import { createWorld } from "../world.ts";

const { load } = await createWorld();

describe("Attacks through the owner's rights", () => {
  // @threat contracts: Lose the ownership, or act as the owner
  it("only the owner can add, retire or distrust an issuer, or end an attestation", async () => {
    const w = await load();
    await w.attests(w.ada, w.publisher);
    await w.retires(w.ada);
    for (const account of [w.thief, w.ada, w.ben]) {
      const mine = w.resolver.connect(account);
      await w.refuses(mine.addIssuer(w.thief), "OwnableUnauthorizedAccount");
      await w.refuses(mine.retireIssuer(w.cleo), "OwnableUnauthorizedAccount");
      await w.refuses(mine.distrustIssuer(w.cleo, 0), "OwnableUnauthorizedAccount");
      await w.refuses(mine.endDIDAttestation(w.did, w.publisher, w.ada), "OwnableUnauthorizedAccount");
    }
  });

  // @threat contracts: Lose the ownership, or act as the owner
  it("the owner can't renounce the ownership", async () => {
    const w = await load();
    await w.refuses(w.resolver.connect(w.owner).renounceOwnership(), "RenounceRefused");
  });
});
