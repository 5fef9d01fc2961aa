import { expect, it } from "vitest";
import { newDid, testRegistry } from "../../../test/chain/testRegistry.ts";

it("names issuer, time and end of each attestation, and whether it is live", async () => {
  const { publisher, issuer, chain, mined } = await testRegistry();
  const did = newDid();
  const controller = publisher.account.address;
  const expiresAt = Number((await chain.getBlock()).timestamp) + 10_000;
  await mined(issuer.attestDid({ did, controller, expiresAt }));
  const attestedAt = Number((await chain.getBlock()).timestamp);
  expect(await publisher.getDidAttestations({ did, controller })).toEqual([
    { issuer: issuer.account.address, attestedAt, expiresAt, live: true },
  ]);
  await mined(issuer.revokeDid({ did, controller }));
  const after = await publisher.getDidAttestations({ did, controller });
  expect(after.some(({ live }) => live)).toBe(false);
});
