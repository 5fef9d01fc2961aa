import { testAccount } from "@app-registry/test-kit/deployContracts";
import { startDidHost } from "@app-registry/test-kit/didHost";
import { describe, expect, it } from "vitest";
import {
  another,
  chain,
  controls,
  DAY,
  fixture,
  HOUR,
  MINUTE,
  process,
  told,
  useIssuer,
  wallet,
} from "../../test/support/issuerFixture.ts";

const newcomer = testAccount(3).address;

useIssuer();

const createDocument = (did: string) => `/${did.split(":").at(-1)}/did.json`;
const countRequests = (did: string) =>
  fixture.host.requests().filter((path) => path === createDocument(did)).length;
const expiry = async (did: string, controller = wallet) =>
  ((await chain.byHand.getDidAttestations({ did, controller }))[0]?.expiresAt ?? 0) * 1_000;

/** Creates an attested DID whose document contains the wallet. */
async function attested(...wallets: `0x${string}`[]): Promise<string> {
  const did = fixture.host.did(...(wallets.length > 0 ? wallets : [wallet]));
  await process.attest(did, wallet);
  return did;
}

describe("a controller in its DID document", () => {
  it("is checked within 30 days without a transaction", async () => {
    const did = await attested();
    const sent = await chain.sent();
    await process.passes(20 * DAY, DAY);
    expect(countRequests(did)).toBe(1);
    await process.passes(10 * DAY, DAY);
    expect(countRequests(did)).toBe(2);
    expect(process.outcomes()).toEqual(["holds"]);
    expect(await chain.sent()).toBe(sent);
    expect(await process.revalidation.count()).toEqual({
      attestations: 1,
      due: 0,
      overdue: 0,
      failing: 0,
      unanswered: 0,
      unknownDids: 0,
    });
  });

  it("is renewed once in the last quarter of its lifetime", async () => {
    const did = await attested();
    const [sent, end] = [await chain.sent(), await expiry(did)];
    const lifetime = end - chain.now();
    await process.passes(0.74 * lifetime, 10 * DAY);
    expect(await chain.sent()).toBe(sent);
    await process.passes(0.24 * lifetime, 5 * DAY);
    expect(await chain.sent()).toBe(sent + 1);
    expect(told("attestation renewed")).toMatchObject([{ did, subject: wallet }]);
    await chain.pass(0.1 * lifetime);
    expect(await expiry(did)).toBeGreaterThan(end + 0.7 * lifetime);
    expect(await controls(did)).toBe(true);
  });

  it("is renewed while it is blocked, because the issuer does not decide on blocks", async () => {
    const did = await attested(wallet, newcomer);
    await process.attest(did, newcomer);
    await chain.pass(HOUR + MINUTE);
    const until = Math.floor(chain.now() / 1_000) + 30 * 86_400;
    const hash = await chain.clientOf(1).blockController({ did, controller: newcomer, until });
    await chain.byHand.waitForReceipt({ hash });
    await process.passes(364 * DAY, 30 * DAY);
    expect(
      told("attestation renewed")
        .map((event) => "subject" in event && event.subject)
        .sort(),
    ).toEqual([wallet, newcomer].sort());
  });

  it("is renewed within a week after expiry without losing its run", async () => {
    const did = await attested();
    const [before] = await chain.byHand.getDidAttestations({ did, controller: wallet });
    await chain.pass((await expiry(did)) - chain.now() + 6 * DAY);
    expect(await controls(did)).toBe(false);
    await process.passes(18 * HOUR, HOUR);
    expect(await controls(did)).toBe(true);
    expect(await chain.byHand.getDidAttestations({ did, controller: wallet })).toMatchObject([
      { startedAt: before?.startedAt, maturesAt: before?.maturesAt, matured: true },
    ]);
  });

  it("is removed later than a week after expiry, so that a new attestation has to be requested", async () => {
    const did = await attested();
    const sent = await chain.sent();
    // Each pass reads the last 20 blocks again.
    await chain.pass((await expiry(did)) - chain.now() + 8 * DAY, 21);
    await process.passes(2 * DAY, HOUR);
    expect(await chain.sent()).toBe(sent);
    expect(await process.revalidation.count()).toMatchObject({ attestations: 0 });
  });
});

describe("a controller that is no longer in its DID document", () => {
  it("keeps its attestation if the second check finds it again", async () => {
    const did = await attested();
    fixture.host.name(did, another);
    await process.passesUntil("fails", DAY);
    expect(await process.revalidation.count()).toMatchObject({ failing: 1 });
    fixture.host.name(did, wallet);
    await process.passes(2 * HOUR, 10 * MINUTE);
    expect(process.outcomes()).toEqual(["fails", "holds"]);
    expect(await process.revalidation.count()).toMatchObject({ failing: 0 });
    fixture.host.name(did, another);
    await process.passesUntil("fails", DAY);
    expect(await controls(did)).toBe(true);
  });

  // @threat services: A domain or contract that changed hands
  it("is checked again at least an hour after the first failure, and revoked by the second", async () => {
    const did = await attested();
    fixture.host.name(did, another);
    await process.passesUntil("fails", DAY);
    const [sent, asked] = [await chain.sent(), countRequests(did)];
    await process.passes(59 * MINUTE, 10 * MINUTE);
    expect(countRequests(did)).toBe(asked);
    expect(await controls(did)).toBe(true);
    await process.passes(12 * MINUTE, 4 * MINUTE);
    expect(countRequests(did)).toBe(asked + 1);
    expect(await controls(did)).toBe(false);
    expect(await chain.sent()).toBe(sent + 1);
    expect(told("attestation revoked")).toMatchObject([{ did, code: "wallet-not-in-did-document" }]);
    expect(await process.revalidation.count()).toMatchObject({ attestations: 0 });
    await process.passes(60 * DAY, 2 * DAY);
    expect(countRequests(did)).toBe(asked + 1);
  });

  it("is not revoked by a second failure within the hour", async () => {
    const did = await attested();
    fixture.host.name(did, another, newcomer);
    await process.passesUntil("fails", DAY);
    await chain.pass(30 * MINUTE);
    await process.attest(did, newcomer);
    await process.passes(2 * MINUTE, MINUTE);
    expect(process.outcomes()).toEqual(["fails", "fails"]);
    expect(await controls(did)).toBe(true);
    await process.passes(40 * MINUTE, 5 * MINUTE);
    expect(await controls(did)).toBe(false);
  });
});

it("a wallet whose key has expired by the issuer's clock is not attested", async () => {
  const did = fixture.host.did();
  const expires = new Date(chain.now() + DAY).toISOString();
  const method = { id: "#0", blockchainAccountId: `eip155:31337:${wallet}`, expires };
  fixture.host.put(createDocument(did), JSON.stringify({ id: did, verificationMethod: [method] }));
  await chain.pass(DAY);
  await expect(process.attest(did, wallet)).rejects.toThrow(/expired at/);
});

describe("a host that does not respond", () => {
  // @threat services: A domain or contract that changed hands
  it("causes neither revocation nor renewal, for any length of time", async () => {
    const host = await startDidHost();
    const did = host.did(wallet);
    await process.attest(did, wallet);
    await host.close();
    const [sent, lifetime] = [await chain.sent(), (await expiry(did)) - chain.now()];
    await process.passes(lifetime - DAY, 14 * DAY);
    expect(new Set(process.outcomes())).toEqual(new Set(["no-answer"]));
    expect(await controls(did)).toBe(true);
    expect(await process.revalidation.count()).toMatchObject({ failing: 0, unanswered: 1 });
    await process.passes(11 * DAY, DAY);
    expect(await controls(did)).toBe(false);
    expect(await chain.sent()).toBe(sent);
    expect(await process.revalidation.count()).toMatchObject({ attestations: 0 });
  });

  it("does not reset an earlier failure, so that the next one revokes", async () => {
    const did = await attested();
    fixture.host.name(did, another);
    await process.passesUntil("fails", DAY);
    fixture.host.put(createDocument(did), "", { status: 503 });
    await process.passesUntil("no-answer", 10 * MINUTE);
    await process.passes(5 * DAY, 12 * HOUR);
    expect(await controls(did)).toBe(true);
    expect(await process.revalidation.count()).toMatchObject({ failing: 1 });
    fixture.host.name(did, another);
    await process.passesUntil("fails", DAY);
    expect(await controls(did)).toBe(false);
  });
});

describe("a new controller of a DID", () => {
  it("makes the other controllers due immediately", async () => {
    const did = await attested();
    const other = await attested();
    await process.passes(DAY, 12 * HOUR);
    expect(process.outcomes()).toEqual([]);
    fixture.host.name(did, newcomer);
    await process.attest(did, newcomer);
    await process.passes(2 * MINUTE, MINUTE);
    expect(process.events.filter((event) => "outcome" in event)).toMatchObject([
      { did, subject: wallet, outcome: "fails" },
    ]);
    await process.passes(75 * MINUTE, 5 * MINUTE);
    expect(await controls(did)).toBe(false);
    expect(await controls(other)).toBe(true);
  });
});
