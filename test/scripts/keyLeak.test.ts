import { readFile } from "node:fs/promises";
import { type AppRegistryClient, normalizeDid } from "@app-registry/sdk";
import { expect } from "chai";
import type { Hex } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { connect } from "../../packages/server/src/connections.ts";
import { readEnvironment } from "../../packages/server/src/environment.ts";
import { startIssuer } from "../../packages/server/src/issuer.ts";
import type { Affected } from "../../scripts/deployment/issuerStatements.ts";
import { ISSUER_INDEX, localAccount, localPrivateKey } from "../../scripts/stack/accounts.ts";
import { type Runbook, readRunbook, register, startRunbook } from "./runbook.ts";

const HOUR = 3_600;
const DAY = 24 * HOUR;
const PUBLISHERS = 5;

type Publisher = { client: AppRegistryClient; did: string; wallet: Hex; dataHash?: Hex };

describe("the commands of docs/keys.md", () => {
  it("are each run by a test", async () => {
    const { commands, blocks } = await readRunbook();
    expect(commands).to.have.lengthOf(blocks);
    for (const name of commands.keys()) {
      const test = name.startsWith("leak") ? "keyLeak" : "keyRotation";
      const source = await readFile(new URL(`${test}.test.ts`, import.meta.url), "utf8");
      expect(source).to.contain(`run("${name}"`);
    }
  });
});

(process.env.TEST_LONG ? describe : describe.skip)("the runbook for a leaked issuer key", function () {
  this.timeout(600_000);

  let runbook: Runbook;
  before(async () => {
    runbook = await startRunbook();
  });
  after(() => runbook.stop());

  // @threat services: A leaked issuer key until the runbook is followed
  it("restores control to honest publishers and gives none to the thief", async () => {
    const { host, now, pass, run, clientOf } = runbook;
    const OLD = localAccount(ISSUER_INDEX).address;
    const newKey = generatePrivateKey();
    const NEW = privateKeyToAddress(newKey);
    const thief = localAccount(9).address;

    const ISSUER_PRIVATE_KEY = localPrivateKey(ISSUER_INDEX);
    const registry = connect(readEnvironment({ ...runbook.settings, ISSUER_PRIVATE_KEY }));
    const issuer = await startIssuer(registry);
    const attest = async (did: string, connectedAddress: Hex, schema: "did-ownership" | "data-hash") => {
      const result = await issuer.verifyAndAttest({ did, connectedAddress, requiredSchemas: [schema] });
      expect(result.status, JSON.stringify(result)).to.equal("attested");
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
    const controls = ({ client, did, wallet: controller }: Publisher) => client.checkDid({ did, controller });
    await pass(3 * DAY);

    // The key leaks. An honest newcomer is attested after the leak.
    const since = (await now()) + 1n;
    await pass(HOUR);
    const newcomer = await newPublisher(PUBLISHERS + 1);
    await register(newcomer.client, host, newcomer.did);

    // The thief attests their own wallet twice, revokes one publisher, and shortens another's attestation.
    const stolen = await clientOf(localAccount(ISSUER_INDEX));
    const mined = async (hash: Promise<Hex>) => stolen.waitForReceipt({ hash: await hash });
    const unclaimed: Publisher = { ...wronged, did: host.did(localAccount(8).address), wallet: thief };
    await mined(stolen.attestDid({ did: wronged.did, controller: thief }));
    await mined(stolen.attestDid({ did: unclaimed.did, controller: thief }));
    await register(await clientOf(localAccount(9)), host, unclaimed.did);
    await mined(stolen.revokeDid({ did: revoked.did, controller: revoked.wallet }));
    await mined(stolen.revokeDataHash({ did: revoked.did, dataHash: revoked.dataHash as Hex }));
    const expiresAt = Number(await now()) + 2 * HOUR;
    await mined(stolen.attestDid({ did: renewed.did, controller: renewed.wallet, expiresAt }));
    await pass(3 * HOUR);
    expect(await Promise.all([unclaimed, revoked].map(controls))).to.deep.equal([true, false]);

    issuer.close();
    const variables = { OLD, NEW, SINCE: String(since), WEB_ENV: await runbook.writeEnvironment(newKey) };
    await run("leak: distrust", variables);
    expect(await Promise.all(publishers.map(controls))).to.deep.equal(Array(PUBLISHERS).fill(true));
    expect(await controls(unclaimed)).to.equal(false);
    await run("leak: affected", variables);
    await run("leak: add", variables);
    await runbook.fund(NEW);
    await run("leak: reattest", variables);

    const told = JSON.parse(await run("leak: tell", variables)) as Affected[];
    expect(
      told.map(({ stated, did, subject, live, effective }) => [stated, did, subject, live, effective]),
    ).to.deep.equal([
      ["attested", normalizeDid(newcomer.did), newcomer.wallet, false, false],
      ["attested", normalizeDid(wronged.did), thief, false, false],
      ["attested", normalizeDid(unclaimed.did), thief, false, false],
      ["revoked", normalizeDid(revoked.did), revoked.wallet, true, true],
      ["revoked", normalizeDid(revoked.did), revoked.dataHash, true, true],
      ["renewed", normalizeDid(renewed.did), renewed.wallet, true, true],
    ]);
    expect(await controls(newcomer)).to.equal(false);

    // Check after the waiting period, and again after the expiry of all that the thief may have changed.
    for (const seconds of [48 * HOUR, 60 * DAY]) {
      await pass(seconds);
      for (const publisher of [...publishers, newcomer]) {
        const { client, did, wallet: controller, dataHash } = publisher;
        expect(await controls(publisher), did).to.equal(true);
        const live = (await client.getDidAttestations({ did, controller })).filter((one) => one.live);
        expect(live.map((one) => one.issuer)).to.include(NEW);
        if (dataHash) expect(await client.checkDataHashAttestation({ did, dataHash }), did).to.equal(true);
      }
      for (const { client, did } of [unclaimed, wronged]) {
        expect(await client.checkDid({ did, controller: thief }), did).to.equal(false);
        const attestations = await client.getDidAttestations({ did, controller: thief });
        expect(attestations.filter(({ live }) => live)).to.deep.equal([]);
      }
    }
    await registry.guardedFetch.close();
  });
});
