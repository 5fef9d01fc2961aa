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
