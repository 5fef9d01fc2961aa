import {
  challengePeriod,
  createTestRegistry,
  maturation,
  maxTtl,
  newDid,
  testRegistry,
} from "@app-registry/test-kit/testRegistry";
import { expect, it } from "vitest";

const days = 24 * 3600;

it("returns the status of an issuer: unknown, active, retired, then distrusted", async () => {
  const registry = await createTestRegistry();
  const { publisher, issuer, newAccount, chain, mined } = registry;
  const now = async () => Number((await chain.getBlock()).timestamp);
  const other = await newAccount();
  const { address } = other.account;
  const unknown = { issuer: address, status: "unknown", addedAt: undefined };
  expect(await publisher.getIssuer(address)).toEqual({
    ...unknown,
    distrustedSince: undefined,
    seatFreeAt: undefined,
  });

  await registry.addIssuer(address);
  const added = { issuer: address, addedAt: await now(), distrustedSince: undefined, seatFreeAt: undefined };
  expect(await publisher.getIssuer(address)).toEqual({ ...added, status: "active" });
  const [first, second] = await publisher.getIssuers();
  expect(first).toMatchObject({ issuer: issuer.account.address, status: "active" });
  expect(second).toEqual({ ...added, status: "active" });

  const did = newDid();
  await mined(other.attestDid({ did, controller: address }));
  await registry.retireIssuer(address);
  // The last possible expiry of an attestation, plus the renewal grace and one day.
  const seatFreeAt = (await now()) + (365 + 7 + 1) * days;
  expect(await publisher.getIssuer(address)).toEqual({ ...added, status: "retired", seatFreeAt });
  await expect(other.attestDid({ did, controller: address })).rejects.toMatchObject({
    errorName: "NotIssuer",
  });
  expect(await publisher.checkDid({ did, controller: address })).toBe(true);

  const distrustedSince = added.addedAt;
  await registry.distrustIssuer(address, distrustedSince);
  expect(await publisher.getIssuer(address)).toEqual({
    ...added,
    status: "distrusted",
    distrustedSince,
    seatFreeAt,
  });
  expect(await publisher.checkDid({ did, controller: address })).toBe(false);
  await registry.distrustIssuer(address);
  expect(await publisher.getIssuer(address)).toMatchObject({ distrustedSince: 0, seatFreeAt: 0 });
});

it("reads the longest lifetime, the waiting period and the challenge period", async () => {
  const { publisher } = await testRegistry();
  expect(await publisher.getResolverPolicy()).toEqual({ maxTtl, maturation, challengePeriod });
});
