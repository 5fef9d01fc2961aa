import { challengePeriod, maturation } from "@app-registry/test-kit/testRegistry";
import { type Hex, numberToHex, pad } from "viem";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type CliFixture, createCliFixture, type Key } from "../../test/cliFixture.ts";

let fixture: CliFixture;
let issuer: Key;

beforeAll(async () => {
  fixture = await createCliFixture();
  issuer = await fixture.newKey();
  await fixture.registry.addIssuer(issuer.address);
});

afterAll(() => fixture.close());

const controls = (did: string, { address: controller }: Key) =>
  fixture.registry.publisher.checkDid({ did, controller });

const attest = (did: string, { address }: Key, ...more: string[]) =>
  fixture.cli(["attest", did, "--controller", address, "--json", ...more], issuer);

describe("attest and revoke", () => {
  it("attest a controller after reading the DID's document, and revoke the attestation", async () => {
    const key = await fixture.newKey();
    const did = fixture.newDid(key);
    const { json } = await attest(did, key);
    expect(json()).toMatchObject({ status: "done", did, evidence: { kind: "did-document" } });
    expect(await controls(did, key)).toBe(true);
    const revoked = await fixture.cli(["revoke", did, "--controller", key.address, "--json"], issuer);
    expect(revoked.json()).toMatchObject({ status: "done", controller: key.address });
    expect(await controls(did, key)).toBe(false);
  });

  it("reject an account that is not in the document, unless the issuer checked it otherwise", async () => {
    const [named, other] = await Promise.all([fixture.newKey(), fixture.newKey()]);
    const did = fixture.newDid(named);
    const refused = await attest(did, other);
    expect(refused.json()).toMatchObject({ error: { name: "ControlNotProvenError" } });
    expect(refused.code).toBe(1);
    expect((await attest(did, other, "--unchecked")).json()).toMatchObject({ status: "done" });
  });

  it("attest the dataHash of a record after checking its document", async () => {
    const key = await fixture.newKey();
    const did = fixture.newDid(key);
    const file = await fixture.writeMetadata("Content");
    const published = await fixture.cli(["publish", file, "--did", did, "--version", "1.0.0", "--json"], key);
    const { dataHash } = published.json();
    const { json } = await fixture.cli(["attest", did, "--data-hash", "--json"], issuer);
    expect(json()).toMatchObject({ status: "done", dataHash });
    const revoked = await fixture.cli(["revoke", did, "--data-hash", String(dataHash), "--json"], issuer);
    expect(revoked.json()).toMatchObject({ status: "done", dataHash });
  });

  it("exit with 1 for an account that is not an issuer, and with 2 without a statement to attest", async () => {
    const key = await fixture.newKey();
    const did = fixture.newDid(key);
    const args = ["attest", did, "--controller", key.address];
    expect(await fixture.cli(args, key)).toMatchObject({ code: 1 });
    expect(await fixture.cli(["attest", did], issuer)).toMatchObject({ code: 2 });
  });
});

describe("block, unblock and challenge", () => {
  /** Attests a first controller of a DID, and a second account that is waiting for control. */
  async function claimed() {
    const [first, newcomer] = await Promise.all([fixture.newKey(), fixture.newKey()]);
    const did = fixture.newDid(first, newcomer);
    await fixture.registry.attest(did, first.address);
    await fixture.registry.attest(did, newcomer.address);
    return { did, first, newcomer };
  }

  it("block an account, extend the block, and end it", async () => {
    const { did, first, newcomer } = await claimed();
    await fixture.registry.passTime(maturation);
    const say = async (...args: string[]) => (await fixture.cli([...args, "--json"], first)).json();
    const { publisher, chain } = fixture.registry;
    const end = async () => (await publisher.getBlock({ did, controller: newcomer.address }))?.blockedUntil;
    const now = async () => Number((await chain.getBlock()).timestamp);

    const until = (await now()) + 86_400;
    const made = await say("block", did, newcomer.address, "--until", new Date(until * 1_000).toISOString());
    expect(made).toMatchObject({ status: "done", controller: newcomer.address, until });
    expect(await end()).toBe(until);
    await fixture.registry.passTime(maturation);
    expect(await controls(did, newcomer)).toBe(false);
    const extended = await say("block", "--extend", did);
    expect(extended).toMatchObject({ status: "done", controllers: [newcomer.address] });
    expect(await end()).toBe(extended.until);
    expect(extended.until).toBeGreaterThan(until + 28 * 86_400);
    expect(await say("unblock", did, newcomer.address)).toMatchObject({ status: "done" });
    expect(await controls(did, newcomer)).toBe(true);
    expect(await fixture.cli(["block", "--extend", did], first)).toMatchObject({ code: 2 });
    expect(await fixture.cli(["block", did], first)).toMatchObject({ code: 2 });
  });

  it("block a long list of accounts in several transactions", async () => {
    const { did, first, newcomer } = await claimed();
    await fixture.registry.passTime(maturation);
    const { publisher, chain } = fixture.registry;
    const { gasLimit } = await chain.getBlock();
    onTestFinished(() => chain.setBlockGasLimit({ gasLimit }));
    // Blocks that have room for little more than 100 accounts.
    await chain.setBlockGasLimit({ gasLimit: 5_000_000n });
    await chain.mine({ blocks: 1 });
    const accounts = Array.from({ length: 149 }, (_, index) => pad(numberToHex(index + 1), { size: 20 }));
    const run = await fixture.cli(["block", did, ...accounts, newcomer.address, "--json"], first);
    expect(run.json()).toMatchObject({ status: "done", transactions: [{}, {}] });
    for (const controller of [accounts[0], accounts.at(-1), newcomer.address])
      expect(await publisher.getBlock({ did, controller: controller as Hex })).toMatchObject({ weight: 1 });
  });

  it("open a challenge, show it, and remove an account that fewer issuers attest", async () => {
    const { did, first, newcomer } = await claimed();
    const parties = [did, first.address];
    const shown = () =>
      fixture.cli(["challenge", "show", ...parties, "--challenger", newcomer.address, "--json"]);
    expect((await shown()).json()).toMatchObject({ challenge: null });
    await attest(did, newcomer);
    await fixture.registry.passTime(2 * maturation);
    const opened = await fixture.cli(["challenge", "open", ...parties, "--json"], newcomer);
    const openedAt = Number((await fixture.registry.chain.getBlock()).timestamp);
    expect(opened.json()).toMatchObject({ status: "done", challenger: newcomer.address });
    const resolvableFrom = openedAt + challengePeriod;
    expect((await shown()).json()).toMatchObject({
      challenge: { openedAt, resolvableFrom, expiresAt: resolvableFrom + challengePeriod },
    });
    const early = await fixture.cli(["challenge", "resolve", ...parties, "--json"], newcomer);
    expect(early).toMatchObject({ code: 1 });
    await fixture.registry.passTime(challengePeriod + 1);
    const resolved = await fixture.cli(["challenge", "resolve", ...parties, "--json"], newcomer);
    expect(resolved.json()).toMatchObject({ status: "done", incumbent: first.address });
    expect(await controls(did, first)).toBe(false);
  });
});

describe("reclaim", () => {
  it("can be dismissed by the record's holder", async () => {
    const publisher = await fixture.newKey();
    const did = fixture.newDid(publisher);
    const file = await fixture.writeMetadata("Kept");
    await fixture.cli(["publish", file, "--did", did, "--version", "1.0.0"], publisher);
    const { json } = await fixture.cli(["dismiss-reclaims", did, "1", "--json"], publisher);
    expect(json()).toMatchObject({ status: "done", did, major: 1 });
    expect(await fixture.cli(["dismiss-reclaims", did, "1"], await fixture.newKey())).toMatchObject({
      code: 1,
    });
  });

  it("transfers the record of a publisher who lost the DID to its controller after 30 days", async () => {
    const [publisher, successor] = await Promise.all([fixture.newKey(), fixture.newKey()]);
    const did = fixture.newDid(publisher, successor);
    const file = await fixture.writeMetadata("Sold");
    await fixture.cli(["publish", file, "--did", did, "--version", "1.0.0"], publisher);
    await attest(did, successor);
    await fixture.registry.passTime(2 * maturation);
    const record = [did, "--major", "1", "--json"];
    // Revoke the publisher's attestation, which the service's issuer sent.
    await fixture.registry.distrustIssuer(fixture.service.issuerAccount.address);
    expect((await fixture.cli(["reclaim", "open", ...record], successor)).json()).toMatchObject({
      status: "done",
    });
    const openedAt = Number((await fixture.registry.chain.getBlock()).timestamp);
    const show = ["reclaim", "show", ...record, "--claimant"];
    expect((await fixture.cli([...show, successor.address])).json()).toMatchObject({
      claimant: successor.address,
      reclaim: {
        openedAt,
        finishableFrom: openedAt + 30 * 86_400,
        expiresAt: openedAt + 60 * 86_400,
      },
    });
    expect((await fixture.cli([...show, publisher.address])).json()).toMatchObject({ reclaim: null });
    expect(await fixture.cli(["reclaim", "finish", ...record], successor)).toMatchObject({ code: 1 });
    await fixture.registry.passTime(30 * 86_400 + 1);
    expect((await fixture.cli(["reclaim", "finish", ...record], successor)).json()).toMatchObject({
      status: "done",
    });
    const { owner } = await fixture.registry.publisher.getAppSummary({ did, major: 1 });
    expect(owner).toBe(successor.address);
  });
});
