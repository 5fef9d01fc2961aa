import { didHash } from "@app-registry/sdk";
import type { Chain } from "@app-registry/test-kit/startIndexer";
import type { Address } from "viem";
import { createActors, testData } from "./actors.ts";
import { randomFrom } from "./random.ts";

const HOUR = 3_600;
const DAY = 24 * HOUR;

/**
 * Runs scenarios that random actions may miss, on separate DIDs: a won challenge, a record that two claimants reclaim, a
 * holder's reclaim,
 * blocks that are extended, ended and outnumbered, and an issuer whose distrust is moved back repeatedly.
 */
export async function runScenarios(chain: Chain) {
  const actors = createActors(chain, randomFrom(0));
  const { client, send, resolve, register, pass, now, attest, submit, release, haveIssuers } = actors;
  const [removed, blocked, reclaimed, distrusted] = testData.sceneDids as [string, string, string, string];
  const [alice, bob, carol, dave, erin] = testData.wallets as [
    ...[Address, Address, Address],
    ...[Address, Address],
  ];
  const [first, second, third, fourth] = (await haveIssuers(5)) as [Address, Address, Address, Address];
  const { owner } = testData;

  // Bob, attested by two issuers, removes Alice, attested by one.
  await attest(removed, alice, first);
  await send(alice, client.prepareMint(release(removed, { major: 1, minor: 0, patch: 0 })));
  await attest(removed, bob, first);
  await attest(removed, bob, second);
  await pass(2 * HOUR);
  await resolve(bob, "challengeDID", [didHash(removed), alice]);
  await resolve(carol, "challengeDID", [didHash(removed), alice]);
  await pass(7 * DAY + HOUR);
  await resolve(dave, "resolveChallenge", [didHash(removed), alice, bob]);
  await resolve(alice, "challengeDID", [didHash(removed), bob]);
  await attest(removed, alice, second);
  await pass(2 * HOUR);
  await resolve(alice, "challengeDID", [didHash(removed), bob]);

  // The squatter is revoked. The first of two claimants to finish gets the token and sets a lower version, which
  // dismisses the other's reclaim.
  await attest(reclaimed, alice, first);
  await send(alice, client.prepareMint(release(reclaimed, { major: 1, minor: 7, patch: 9 })));
  await attest(reclaimed, bob, first);
  await attest(reclaimed, carol, second);
  await resolve(first, "revokeDID", [didHash(reclaimed), alice]);
  await pass(8 * DAY);
  for (const claimant of [bob, carol]) await register(claimant, "openReclaim", [reclaimed, 1]);
  await pass(31 * DAY);
  for (const claimant of [carol, bob]) await register(claimant, "finishReclaim", [reclaimed, 1]);
  const { interfaces: _keep, ...update } = release(reclaimed, { major: 1, minor: 7, patch: 1 });
  await send(carol, client.prepareUpdateAppControlled(update));

  // Carol sells a record that she minted. She dismisses reclaims as the minter, which does not end the holder's.
  await send(carol, client.prepareMint(release(reclaimed, { major: 2, minor: 0, patch: 0 })));
  const tokenId = await client.tokenIdOf({ did: reclaimed, major: 2 });
  await send(carol, client.prepareTransfer({ from: carol, to: bob, tokenId }));
  await register(bob, "openReclaim", [reclaimed, 2]);
  await register(carol, "dismissReclaims", [reclaimed, 2]);

  // Alice, attested by one issuer, blocks four accounts. A challenge period later, Bob's two issuers outnumber the
  // block.
  await attest(blocked, alice, first);
  await pass(2 * HOUR);
  for (const wallet of [bob, carol, dave]) await attest(blocked, wallet, fourth);
  await attest(blocked, bob, third);
  const until = async (days: number) => BigInt((await now()) + days * DAY);
  for (const wallet of [bob, carol, dave, erin])
    await resolve(alice, "blockController", [didHash(blocked), wallet, await until(20)]);
  await pass(8 * DAY);
  await resolve(alice, "unblockController", [didHash(blocked), dave]);
  await resolve(bob, "blockController", [didHash(blocked), carol, await until(30)]);

  // Distrust voids the third issuer's statements step by step. Its runs of Alice and Erin began before the leak, and
  // were
  // renewed and revoked after it.
  const leak = await now();
  for (const wallet of [alice, erin]) await attest(distrusted, wallet, third);
  await resolve(third, "attestDataHash", [didHash(distrusted), testData.dataHashes[0] as Address, 0n]);
  await pass(DAY);
  for (const wallet of [bob, dave]) await attest(distrusted, wallet, third);
  await resolve(third, "revokeDID", [didHash(distrusted), carol]);
  await pass(DAY);
  await submit(third, distrusted, { primaryType: "AttestDID", value: alice, age: HOUR });
  for (const wallet of [bob, erin]) await resolve(third, "revokeDID", [didHash(distrusted), wallet]);
  await resolve(owner, "distrustIssuer", [third, BigInt(await now())]);
  await resolve(owner, "distrustIssuer", [third, BigInt(leak + 2 * HOUR)]);
  await resolve(owner, "endDataHashAttestation", [
    didHash(distrusted),
    testData.dataHashes[0] as Address,
    third,
  ]);

  // The owner ends the second issuer's statements. Erin's end keeps the date of the revocation, which an earlier start
  // of
  // the distrust no longer undoes.
  for (const wallet of [dave, erin]) await attest(distrusted, wallet, second);
  await pass(HOUR);
  const revocation = await now();
  await resolve(second, "revokeDID", [didHash(distrusted), erin]);
  await pass(HOUR);
  await resolve(owner, "retireIssuer", [second]);
  for (const wallet of [dave, erin])
    await resolve(owner, "endDIDAttestation", [didHash(distrusted), wallet, second]);
  await resolve(owner, "distrustIssuer", [second, BigInt(revocation)]);
}
