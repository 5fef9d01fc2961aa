import { newDid, testRegistry } from "@app-registry/test-kit/testRegistry";
import { expect, it } from "vitest";

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
