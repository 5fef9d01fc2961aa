import assert from "node:assert/strict";
import { type AppRegistryClient, normalizeDid } from "@app-registry/sdk";
import type { Hex } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { connect } from "../../packages/server/src/connections.ts";
import { readEnvironment } from "../../packages/server/src/environment.ts";
import { startIssuer } from "../../packages/server/src/issuer.ts";
import type { AffectedStatement } from "../deployment/issuerStatements.ts";
import { ISSUER_INDEX, localAccount, localPrivateKey } from "../stack/accounts.ts";
import { type Rehearsal, register, rehearse } from "./rehearsal.ts";

/**
 * `pnpm rehearse:leak`: an issuer's key leaks, a thief uses it, and the runbook of docs/keys.md is followed. Prints what
 * happened at each step; ends with 1 unless the honest count again, and the thief does not.
 */
const HOUR = 3_600;
const DAY = 24 * HOUR;
const PUBLISHERS = 5;

type Publisher = { client: AppRegistryClient; did: string; wallet: Hex; dataHash?: Hex };

await rehearse(async (rehearsal) => {
  const { step, run, host, now, pass, clientOf, webVariables } = rehearsal;
  const OLD = localAccount(ISSUER_INDEX).address;
  const newKey = generatePrivateKey();
  const NEW = privateKeyToAddress(newKey);
  const thief = localAccount(9).address;

  step(`The issuer ${OLD} attests ${PUBLISHERS} publishers, who register their services`);
  const oldKey = localPrivateKey(ISSUER_INDEX);
  const registry = connect(readEnvironment({ ...webVariables, ISSUER_PRIVATE_KEY: oldKey }));
  const issuer = await startIssuer(registry);
  const attest = async (did: string, wallet: Hex, ...requiredSchemas: ("did-ownership" | "data-hash")[]) => {
    const result = await issuer.verifyAndAttest({ did, connectedAddress: wallet, requiredSchemas });
    assert.equal(result.status, "attested", JSON.stringify(result));
  };
  const newPublisher = async (index: number): Promise<Publisher> => {
    const account = localAccount(index);
    const did = host.did(account.address);
    await attest(did, account.address, "did-ownership");
    return { client: await clientOf(account), did, wallet: account.address };
  };
  const publishers: Publisher[] = [];
  for (let index = 1; index <= PUBLISHERS; index++) {
    const publisher = await newPublisher(index);
    const dataHash = await register(publisher.client, host, publisher.did);
    await attest(publisher.did, publisher.wallet, "data-hash");
    publishers.push({ ...publisher, dataHash });
  }
  const [wronged, revoked, renewed] = publishers as [Publisher, Publisher, Publisher];
  const counts = ({ client, did, wallet }: Publisher, controller = wallet) =>
    client.checkDid({ did, controller });
  const shows = async () => {
    for (const publisher of publishers) {
      const says = (await counts(publisher)) ? "counts" : "does not count";
      console.log(`     ${publisher.did}: its publisher ${says}`);
    }
  };
  await pass(3 * DAY);
  await shows();

  step("The key leaks. An honest newcomer is attested after that, too");
  const since = (await now()) + 1n;
  await pass(HOUR);
  const newcomer = await newPublisher(PUBLISHERS + 1);
  await register(newcomer.client, host, newcomer.did);

  step(
    `The thief has the key attest the wallet ${thief}, revoke a publisher, and shorten another's attestation`,
  );
  const stolen = await clientOf(localAccount(ISSUER_INDEX));
  const mined = async (hash: Promise<Hex>) => stolen.waitForReceipt({ hash: await hash });
  const unclaimed: Publisher = { ...wronged, did: host.did(localAccount(8).address), wallet: thief };
  await mined(stolen.attestDid({ did: wronged.did, controller: thief }));
  await mined(stolen.attestDid({ did: unclaimed.did, controller: thief }));
  await register(await clientOf(localAccount(9)), host, unclaimed.did);
  await mined(stolen.revokeDid({ did: revoked.did, controller: revoked.wallet }));
  const revokedAt = await now();
  await mined(stolen.revokeDataHash({ did: revoked.did, dataHash: revoked.dataHash as Hex }));
  const soon = Number(await now()) + 2 * HOUR;
  await mined(stolen.attestDid({ did: renewed.did, controller: renewed.wallet, expiresAt: soon }));
  await pass(3 * HOUR);
  assert.deepEqual(await Promise.all([counts(unclaimed), counts(revoked)]), [true, false]);
  await shows();
  console.log(`     ${unclaimed.did}: the thief's wallet counts, and has registered it`);

  step("It is noticed: every process with the key is stopped");
  issuer.close();

  step("The owner of the resolver distrusts the issuer since the leak");
  const variables = { OLD, NEW, SINCE: String(since), WEB_ENV: await rehearsal.writeEnvironment(newKey) };
  await run("leak: distrust", variables);
  const distrustedAt = await now();
  await shows();
  assert.deepEqual(
    await Promise.all(publishers.map((publisher) => counts(publisher))),
    Array(PUBLISHERS).fill(true),
  );
  assert.equal(await counts(unclaimed), false);

  step("What is affected");
  await run("leak: affected", variables);

  step("A new issuer");
  await run("leak: add", variables);
  await rehearsal.fund(NEW);

  step("It verifies and attests what the old one attested");
  await run("leak: reattest", variables);

  step("What to tell the publishers");
  const told = await run("leak: tell", variables);
  checkTold(JSON.parse(told) as AffectedStatement[], {
    wronged,
    revoked,
    renewed,
    newcomer,
    unclaimed,
    thief,
  });

  step("Who counts, by the resolver");
  assert.equal(await counts(newcomer), false);
  await pass(48 * HOUR);
  await checkEnd(rehearsal, { publishers, newcomer, unclaimed, wronged, thief, NEW });
  await shows();
  const closed = Number(distrustedAt - revokedAt);
  console.log(
    `     Nobody counted for ${revoked.did} for ${(closed / HOUR).toFixed(1)} hours, until the distrust.`,
  );
  console.log("     Nobody counted for the newcomer's DID for 48 hours from the distrust on, a maturation.");

  step("Two months later, the last of the old issuer's word has expired where the thief may have changed it");
  await pass(60 * DAY);
  await checkEnd(rehearsal, { publishers, newcomer, unclaimed, wronged, thief, NEW });
  assert.equal(await renewed.client.checkDid({ did: renewed.did, controller: renewed.wallet }), true);
  await shows();
  console.log("\nThe honest count, and the thief does not.");
  await registry.guardedFetch.close();
});

type Parties = Record<"wronged" | "revoked" | "renewed" | "newcomer" | "unclaimed", Publisher> & {
  thief: Hex;
};

/** The list names everybody who is concerned, and nobody else. */
function checkTold(told: readonly AffectedStatement[], parties: Parties): void {
  const { wronged, revoked, renewed, newcomer, unclaimed, thief } = parties;
  const row = (
    stated: AffectedStatement["stated"],
    did: string,
    subject: Hex,
    live: boolean,
    counts: boolean,
  ) => ({
    ...{ stated, did: normalizeDid(did), subject, live, counts },
  });
  assert.deepEqual(
    told.map(({ stated, did, subject, live, counts }) => ({ stated, did, subject, live, counts })),
    [
      row("attested", newcomer.did, newcomer.wallet, false, false),
      row("attested", wronged.did, thief, false, false),
      row("attested", unclaimed.did, thief, false, false),
      row("revoked", revoked.did, revoked.wallet, true, true),
      row("revoked", revoked.did, revoked.dataHash as Hex, true, true),
      row("renewed", renewed.did, renewed.wallet, true, true),
    ],
  );
}

/** Everybody honest counts by the new issuer's word, and the thief by nobody's. */
async function checkEnd(
  { clientOf }: Rehearsal,
  end: {
    publishers: Publisher[];
    newcomer: Publisher;
    unclaimed: Publisher;
    wronged: Publisher;
    thief: Hex;
    NEW: Hex;
  },
): Promise<void> {
  const client = await clientOf(localAccount(0));
  for (const { did, wallet: controller, dataHash } of [...end.publishers, end.newcomer]) {
    assert.equal(await client.checkDid({ did, controller }), true, did);
    const attestations = await client.getDidAttestations({ did, controller });
    assert.ok(
      attestations.some(({ issuer, live }) => issuer === end.NEW && live),
      did,
    );
    if (dataHash) assert.equal(await client.checkDataHashAttestation({ did, dataHash }), true, did);
  }
  for (const { did } of [end.unclaimed, end.wronged]) {
    const attestations = await client.getDidAttestations({ did, controller: end.thief });
    assert.equal(
      attestations.some(({ live }) => live),
      false,
      did,
    );
    assert.equal(await client.checkDid({ did, controller: end.thief }), false, did);
  }
}
