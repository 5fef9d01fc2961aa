import { didHash } from "@app-registry/sdk";
import type { Chain } from "@app-registry/test-kit/startIndexer";
import type { Address } from "viem";
import { actorsOf, universe } from "./actors.ts";
import { randomFrom } from "./random.ts";

const HOUR = 3_600;
const DAY = 24 * HOUR;

/**
 * What chance may leave out, on DIDs that random actions don't touch: a challenge that is won, an objection that takes
 * another's place and one that is withdrawn, a record that two claimants reclaim, an issuer that is distrusted since an
 * earlier and earlier time.
 */
export async function playScenes(chain: Chain) {
  const actors = actorsOf(chain, randomFrom(0));
  const { client, send, resolve, register, pass, now, attest, submit, release, haveIssuers } = actors;
  const [ousted, objected, reclaimed, distrusted] = universe.sceneDids as [string, string, string, string];
  const [alice, bob, carol, dave, erin, mallory] = universe.wallets as [
    ...[Address, Address, Address],
    ...[Address, Address, Address],
  ];
  const [first, second, third] = (await haveIssuers(5)) as [Address, Address, Address];
  const { owner } = universe;

  await resolve(owner, "setChallengePeriod", [BigInt(2 * DAY)]);
  await resolve(owner, "setMaturation", [BigInt(HOUR)]);
  await resolve(owner, "setMaxTTL", [BigInt(300 * DAY)]);

  // Bob, whom two issuers attest, ousts Alice, whom one attests.
  await attest(ousted, alice, first);
  await send(alice, client.prepareMint(release(ousted, { major: 1, minor: 0, patch: 0 })));
  await attest(ousted, bob, first);
  await attest(ousted, bob, second);
  await pass(2 * HOUR);
  await resolve(bob, "challengeDID", [didHash(ousted), alice]);
  await resolve(carol, "challengeDID", [didHash(ousted), alice]);
  await pass(2 * DAY + HOUR);
  await resolve(dave, "resolveChallenge", [didHash(ousted), alice, bob]);
  await resolve(alice, "challengeDID", [didHash(ousted), bob]);
  await attest(ousted, alice, second);
  await resolve(alice, "challengeDID", [didHash(ousted), bob]);

  // One issuer stands behind those whom Alice vouched for and two behind her: her objection takes the place of one.
  for (const issuer of [first, second]) await attest(objected, alice, issuer);
  await pass(2 * HOUR);
  for (const wallet of [bob, carol, dave, erin]) {
    await attest(objected, wallet, first);
    await resolve(alice, "vouchController", [didHash(objected), wallet]);
  }
  await attest(objected, mallory, second);
  for (const wallet of [bob, carol, dave, erin, alice]) {
    await resolve(wallet, "objectToController", [didHash(objected), mallory]);
  }
  await resolve(alice, "withdrawObjection", [didHash(objected), mallory]);

  // The squatter is revoked; of two claimants the one who finishes first gets the token, and may set a lower version.
  await attest(reclaimed, alice, first);
  await send(alice, client.prepareMint(release(reclaimed, { major: 1, minor: 7, patch: 9 })));
  await attest(reclaimed, bob, first);
  await attest(reclaimed, carol, second);
  await resolve(first, "revokeDID", [didHash(reclaimed), alice]);
  await pass(2 * HOUR);
  for (const claimant of [bob, carol]) await register(claimant, "openReclaim", [reclaimed, 1]);
  await pass(31 * DAY);
  for (const claimant of [carol, bob]) await register(claimant, "finishReclaim", [reclaimed, 1]);
  const { interfaces: _keep, ...update } = release(reclaimed, { major: 1, minor: 7, patch: 1 });
  await send(carol, client.prepareUpdateAppControlled(update));

  // What the third issuer stated is voided step by step. What it stated of Alice and Erin began before, and was written
  // over and revoked since.
  const leak = await now();
  for (const wallet of [alice, erin]) await attest(distrusted, wallet, third);
  await resolve(third, "attestDataHash", [didHash(distrusted), universe.dataHashes[0] as Address, 0n]);
  await pass(DAY);
  await attest(distrusted, bob, third);
  await resolve(third, "revokeDID", [didHash(distrusted), carol]);
  await pass(DAY);
  await submit(third, { primaryType: "AttestDID", did: distrusted, subject: alice, age: HOUR });
  for (const wallet of [bob, erin]) await resolve(third, "revokeDID", [didHash(distrusted), wallet]);
  await resolve(owner, "distrustIssuer", [third, BigInt(await now())]);
  await resolve(owner, "distrustIssuer", [third, BigInt(leak + 2 * HOUR)]);
  await resolve(owner, "endDataHashAttestation", [
    didHash(distrusted),
    universe.dataHashes[0] as Address,
    third,
  ]);

  // The owner ends what the second issuer stated. Of Erin that keeps the date of the revocation, which distrust since
  // earlier no longer undoes.
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
