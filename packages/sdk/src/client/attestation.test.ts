import { newDid, testRegistry } from "@app-registry/test-kit/testRegistry";
import { expect, it } from "vitest";

it("returns issuer, times and state of each attestation", async () => {
  const { publisher, issuer, chain, mined, passTime } = await testRegistry();
  const did = newDid();
  const controller = publisher.account.address;
  const now = async () => Number((await chain.getBlock()).timestamp);
  const expiresAt = (await now()) + 10_000;
  await mined(issuer.attestDid({ did, controller, expiresAt }));
  const startedAt = await now();
  const attestation = {
    issuer: issuer.account.address,
    startedAt,
    statedAt: startedAt,
    maturesAt: startedAt,
    expiresAt,
    endedAt: undefined,
    revokedAt: undefined,
    live: true,
    matured: true,
    overdue: false,
    blocked: false,
  };
  expect(await publisher.getDidAttestations({ did, controller })).toEqual([attestation]);

  await passTime(1_000);
  await mined(issuer.attestDid({ did, controller, expiresAt: expiresAt + 1 }));
  const renewed = { ...attestation, statedAt: await now(), expiresAt: expiresAt + 1 };
  expect(await publisher.getDidAttestations({ did, controller })).toEqual([renewed]);

  await mined(issuer.revokeDid({ did, controller }));
  const revokedAt = await now();
  expect(await publisher.getDidAttestations({ did, controller })).toEqual([
    { ...renewed, statedAt: revokedAt, endedAt: revokedAt, revokedAt, live: false, matured: false },
  ]);
});

it("returns a live attestation of a dataHash until it is revoked", async () => {
  const { publisher, issuer, mined } = await testRegistry();
  const did = newDid();
  const dataHash = `0x${"5a".repeat(32)}` as const;
  expect(await publisher.getDataHashAttestations({ did, dataHash })).toEqual([]);
  await mined(issuer.attestDataHash({ did, dataHash }));
  const [attestation] = await publisher.getDataHashAttestations({ did, dataHash });
  expect(attestation).toMatchObject({ issuer: issuer.account.address, live: true });
  expect(await publisher.checkDataHashAttestation({ did, dataHash })).toBe(true);
  await mined(issuer.revokeDataHash({ did, dataHash }));
  expect(await publisher.checkDataHashAttestation({ did, dataHash })).toBe(false);
});
