import { beforeAll, describe, expect, it } from "vitest";
import { signStatement } from "../../../test/chain/signStatement.ts";
import { newDid, type TestRegistry, testRegistry } from "../../../test/chain/testRegistry.ts";

describe("an issuer's signature that a publisher carries", () => {
  let registry: TestRegistry;

  beforeAll(async () => {
    registry = await testRegistry();
  });

  it("attests a controller, once", async () => {
    const { publisher, mined } = registry;
    const did = newDid();
    const controller = publisher.account.address;
    const signature = await signStatement(registry, did, { primaryType: "AttestDID", value: controller });
    await mined(publisher.attestDidBySignature({ did, controller, signature }));
    expect(await publisher.checkDid({ did, controller })).toBe(true);
    const again = publisher.attestDidBySignature({ did, controller, signature });
    await expect(again).rejects.toMatchObject({ errorName: "NonceUsed" });
  });

  it("attests a dataHash", async () => {
    const { publisher, mined, chain } = registry;
    const did = newDid();
    const dataHash = `0x${"77".repeat(32)}` as const;
    await chain.mine({ blocks: 1, interval: 5 });
    const signature = await signStatement(registry, did, { primaryType: "AttestDataHash", value: dataHash });
    await mined(publisher.attestDataHashBySignature({ did, dataHash, signature }));
    expect(await publisher.checkDataHashAttestation({ did, dataHash })).toBe(true);
  });

  it("is refused for another subject", async () => {
    const { publisher, issuer, chain } = registry;
    const did = newDid();
    await chain.mine({ blocks: 1, interval: 5 });
    const value = publisher.account.address;
    const signature = await signStatement(registry, did, { primaryType: "AttestDID", value });
    const forged = publisher.attestDidBySignature({ did, controller: issuer.account.address, signature });
    await expect(forged).rejects.toMatchObject({ errorName: "InvalidSignature" });
  });
});
