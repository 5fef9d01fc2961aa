import { maturation, newDid, testRegistry } from "@app-registry/test-kit/testRegistry";
import { describe, expect, it } from "vitest";

const nobody = "0x00000000000000000000000000000000000000AA";
const days = 24 * 3600;

describe("getController", () => {
  it("knows nothing of an account that was never attested", async () => {
    const { publisher } = await testRegistry();
    const did = newDid();
    expect(await publisher.getController({ did, controller: nobody })).toEqual({
      counts: false,
      attested: false,
      objected: false,
      late: false,
      settlesAt: undefined,
      score: 0,
      standing: 0,
    });
    expect(await publisher.getObjections({ did, controller: nobody })).toEqual([]);
    expect(await publisher.isClaimed(did)).toBe(false);
  });

  it("tells the first controller from a newcomer that waits until its attestation settles", async () => {
    const { publisher, attest, newAccount, chain } = await testRegistry();
    const did = newDid();
    const controller = publisher.account.address;
    const newcomer = (await newAccount()).account.address;
    await attest(did, controller);
    const claimedAt = Number((await chain.getBlock()).timestamp);
    await attest(did, newcomer);
    const { timestamp } = await chain.getBlock();
    const first = await publisher.getController({ did, controller });
    expect(first).toMatchObject({ counts: true, settlesAt: claimedAt, score: 1, standing: 1 });
    const second = await publisher.getController({ did, controller: newcomer });
    expect(second).toMatchObject({ counts: false, attested: true, objected: false, score: 0, standing: 0 });
    expect(second.settlesAt).toBe(Number(timestamp) + maturation);
    expect(await publisher.checkDid({ did, controller: newcomer })).toBe(false);
    expect(await publisher.isClaimed(did)).toBe(true);
  });

  it("has a newcomer count when its attestation settles, and a vouched one at once, without weight", async () => {
    const { publisher, attest, newAccount, mined, passTime } = await testRegistry();
    const did = newDid();
    const [patient, vouched] = [(await newAccount()).account.address, (await newAccount()).account.address];
    for (const controller of [publisher.account.address, patient, vouched]) await attest(did, controller);
    await mined(publisher.vouchController({ did, controller: vouched }));
    const controller = { did, controller: vouched };
    expect(await publisher.getController(controller)).toMatchObject({ counts: true, score: 0, standing: 0 });
    expect(await publisher.getDidAttestations(controller)).toMatchObject([{ vouched: true, settled: false }]);
    await passTime(maturation);
    expect(await publisher.checkDid({ did, controller: patient })).toBe(true);
    expect(await publisher.ownershipScore(controller)).toBe(1);
  });

  it("has an attestation never settle that expires before a newcomer counts", async () => {
    const { publisher, issuer, attest, newAccount, mined, chain } = await testRegistry();
    const did = newDid();
    const controller = (await newAccount()).account.address;
    await attest(did, publisher.account.address);
    const expiresAt = Number((await chain.getBlock()).timestamp) + maturation / 2;
    await mined(issuer.attestDid({ did, controller, expiresAt }));
    expect((await publisher.getController({ did, controller })).settlesAt).toBeUndefined();
    const [attestation] = await publisher.getDidAttestations({ did, controller });
    expect(attestation).toMatchObject({ live: true, settlesAt: undefined });
  });

  it("tells a newcomer that a controller objects to, until the objection is withdrawn", async () => {
    const { publisher, attest, newAccount, mined, chain, passTime } = await testRegistry();
    const did = newDid();
    const stranger = (await newAccount()).account.address;
    for (const controller of [publisher.account.address, stranger]) await attest(did, controller);
    await mined(publisher.objectToController({ did, controller: stranger }));
    const objectedAt = Number((await chain.getBlock()).timestamp);
    await passTime(maturation);
    const controller = { did, controller: stranger };
    expect(await publisher.getController(controller)).toMatchObject({ counts: false, objected: true });
    expect(await publisher.getObjections(controller)).toEqual([
      { author: publisher.account.address, objectedAt, standing: 1, inForce: true },
    ]);
    await expect(publisher.objectToController(controller)).rejects.toMatchObject({
      errorName: "AlreadyObjected",
    });
    await mined(publisher.withdrawObjection(controller));
    expect(await publisher.getController(controller)).toMatchObject({ counts: true, objected: false });
    await expect(publisher.withdrawObjection(controller)).rejects.toMatchObject({ errorName: "NotObjected" });
  });

  it("tells a controller that is late with its renewal, who keeps its standing but does not count", async () => {
    const { publisher, issuer, mined, chain, passTime } = await testRegistry();
    const did = newDid();
    const controller = { did, controller: publisher.account.address };
    const expiresAt = Number((await chain.getBlock()).timestamp) + 1_000;
    await mined(issuer.attestDid({ ...controller, expiresAt }));
    await passTime(1_000);
    expect(await publisher.getController(controller)).toMatchObject({
      counts: false,
      attested: false,
      late: true,
      score: 0,
      standing: 1,
    });
    expect(await publisher.getDidAttestations(controller)).toMatchObject([{ live: false, held: true }]);
    await mined(issuer.attestDid(controller));
    expect(await publisher.getController(controller)).toMatchObject({ counts: true, late: false });
  });

  it("lets a late controller object, and has no objection bar its renewal", async () => {
    const { publisher, issuer, attest, newAccount, mined, chain, passTime } = await testRegistry();
    const did = newDid();
    const own = { did, controller: publisher.account.address };
    const newcomer = await newAccount();
    const expiresAt = Number((await chain.getBlock()).timestamp) + maturation + 1_000;
    await mined(issuer.attestDid({ ...own, expiresAt }));
    await attest(did, newcomer.account.address);
    await passTime(maturation + 1_000);
    await mined(newcomer.objectToController(own));
    expect(await publisher.getController(own)).toMatchObject({ late: true, objected: true });
    await mined(publisher.objectToController({ did, controller: nobody }));
    expect(await publisher.getObjections({ did, controller: nobody })).toMatchObject([
      { standing: 1, inForce: true },
    ]);
    await mined(issuer.attestDid(own));
    expect(await publisher.getController(own)).toMatchObject({ counts: true, objected: false });
  });

  it("tells when a controller counted last", async () => {
    const { publisher, issuer, attest, mined, chain, passTime } = await testRegistry();
    const did = newDid();
    const controller = { did, controller: publisher.account.address };
    expect(await publisher.countedSince({ ...controller, since: 0 })).toBe(false);
    await attest(did, publisher.account.address);
    await passTime(1_000);
    await mined(issuer.revokeDid(controller));
    const revokedAt = Number((await chain.getBlock()).timestamp);
    expect(await publisher.countedSince({ ...controller, since: revokedAt - 1 })).toBe(true);
    expect(await publisher.countedSince({ ...controller, since: revokedAt })).toBe(false);
    expect(await publisher.getController(controller)).toMatchObject({ standing: 1 });
    await passTime(2 * days);
    expect(await publisher.getController(controller)).toMatchObject({ standing: 0 });
  });
});
