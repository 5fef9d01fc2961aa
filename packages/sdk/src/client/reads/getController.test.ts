import { describe, expect, it } from "vitest";
import { maturation, newDid, testRegistry } from "../../../test/chain/testRegistry.ts";

const nobody = "0x00000000000000000000000000000000000000AA";

describe("getController", () => {
  it("knows nothing of an account that was never attested", async () => {
    const { publisher } = await testRegistry();
    const controller = await publisher.getController({ did: newDid(), controller: nobody });
    expect(controller).toEqual({
      counts: false,
      attested: false,
      first: false,
      waiting: false,
      countsFrom: undefined,
      rejected: false,
      voucher: undefined,
    });
  });

  it("tells the first controller from a newcomer that waits", async () => {
    const { publisher, attest, newAccount, chain } = await testRegistry();
    const did = newDid();
    const newcomer = (await newAccount()).account.address;
    await attest(did, publisher.account.address);
    await attest(did, newcomer);
    const { timestamp } = await chain.getBlock();
    const first = await publisher.getController({ did, controller: publisher.account.address });
    expect(first).toMatchObject({ counts: true, first: true, waiting: false, countsFrom: undefined });
    const second = await publisher.getController({ did, controller: newcomer });
    expect(second).toMatchObject({ counts: false, attested: true, first: false, waiting: true });
    expect(second.countsFrom).toBe(Number(timestamp) + maturation);
    expect(await publisher.checkDid({ did, controller: newcomer })).toBe(false);
    expect(await publisher.firstController(did)).toBe(publisher.account.address);
  });

  it("stops waiting when the wait is over, and names a voucher before that", async () => {
    const { publisher, attest, newAccount, mined, passTime } = await testRegistry();
    const did = newDid();
    const [patient, vouched] = [(await newAccount()).account.address, (await newAccount()).account.address];
    for (const controller of [publisher.account.address, patient, vouched]) await attest(did, controller);
    await mined(publisher.vouchController({ did, controller: vouched }));
    expect(await publisher.getController({ did, controller: vouched })).toMatchObject({
      counts: true,
      voucher: publisher.account.address,
    });
    await passTime(maturation);
    expect(await publisher.checkDid({ did, controller: patient })).toBe(true);
  });

  it("tells a rejected newcomer from a waiting one", async () => {
    const { publisher, attest, newAccount, mined } = await testRegistry();
    const did = newDid();
    const stranger = (await newAccount()).account.address;
    for (const controller of [publisher.account.address, stranger]) await attest(did, controller);
    await mined(publisher.rejectController({ did, controller: stranger }));
    expect(await publisher.getController({ did, controller: stranger })).toMatchObject({
      counts: false,
      rejected: true,
      waiting: false,
    });
  });
});
