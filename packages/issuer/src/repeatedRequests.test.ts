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
  useIssuer,
  wallet,
} from "../test/support/issuerFixture.ts";
import type { VerifyAndAttestResult } from "./attest/verifyAndAttestSchema.ts";

const issuer = testAccount(19).address;
const successor = testAccount(18);

useIssuer();

const ask = (did: string, connectedAddress = wallet): Promise<VerifyAndAttestResult> =>
  process.issuer.verifyAndAttest({ did, connectedAddress });
const getAttestation = async (did: string, controller = wallet) =>
  (await chain.byHand.getDidAttestations({ did, controller })).find((one) => one.issuer === issuer);
const mined = async (hash: Promise<`0x${string}`>) => chain.byHand.waitForReceipt({ hash: await hash });

describe("a controller that the issuer revoked", () => {
  it("is rejected with the retry time, without a request to its host, until the maturation ends", async () => {
    const did = fixture.host.did(wallet);
    await ask(did);
    const { blockNumber } = await mined(chain.byHand.revokeDid({ did, controller: wallet }));
    const { timestamp } = await fixture.publicClient.getBlock({ blockNumber });
    const [sent, asked] = [await chain.sent(), fixture.host.requests().length];
    const attestableFrom = Number(timestamp) + 3_600;
    for (let time = 0; time < 3; time++) {
      expect(await ask(did)).toMatchObject({
        ok: false,
        status: "failed",
        code: "recently-revoked",
        retryable: false,
        attestableFrom,
        detail: expect.stringContaining(new Date(attestableFrom * 1_000).toISOString()),
        attestations: [],
      });
      await chain.pass(20 * 60_000 - 5_000);
    }
    expect([await chain.sent(), fixture.host.requests().length]).toEqual([sent, asked]);
    await chain.pass(60_000);
    const again = await ask(did);
    expect(again).toMatchObject({ status: "waiting", attestations: [{ issuer }] });
    expect(await controls(did)).toBe(false);
    await chain.pass(HOUR + MINUTE);
    expect(await ask(did)).toMatchObject({ ok: true, status: "already-attested" });
  });

  it("by a revalidation is tracked again only once it is attested again", async () => {
    const did = fixture.host.did(wallet);
    await process.attest(did, wallet);
    fixture.host.name(did, another);
    await process.passesUntil("fails", 6 * HOUR);
    await process.passes(80 * 60_000, 10 * 60_000);
    expect(await controls(did)).toBe(false);
    fixture.host.name(did, wallet);
    const sent = await chain.sent();
    expect(await ask(did)).toMatchObject({ code: "recently-revoked" });
    await process.passes(DAY, HOUR);
    expect(await chain.sent()).toBe(sent);
    expect(await process.revalidation.count()).toMatchObject({ attestations: 0 });
    expect(await ask(did)).toMatchObject({ status: "waiting" });
    await process.passes(HOUR, HOUR);
    expect(await process.revalidation.count()).toMatchObject({ attestations: 1, failing: 0 });
  });
});

describe("a controller that is already attested", () => {
  const intoLastQuarter = async (did: string) => {
    const { expiresAt = 0 } = (await getAttestation(did)) ?? {};
    await chain.pass(expiresAt * 1_000 - chain.now() - 90 * DAY);
    return expiresAt;
  };

  it("is renewed by a request in the last quarter of the lifetime, without interrupting its run", async () => {
    const did = fixture.host.did(wallet);
    await ask(did);
    const before = await getAttestation(did);
    const expiresAt = await intoLastQuarter(did);
    const result = await ask(did);
    expect(result).toMatchObject({ ok: true, status: "attested" });
    expect(result.attestations[0]?.expiresAt).toBeGreaterThan(expiresAt + 200 * 86_400);
    expect(await getAttestation(did)).toMatchObject({
      startedAt: before?.startedAt,
      maturesAt: before?.maturesAt,
    });
    expect(await ask(did)).toMatchObject({ status: "already-attested", txHashes: [] });
  });

  it("stays attested if the renewal fails for any reason", async () => {
    const host = await startDidHost();
    const did = host.did(wallet);
    await ask(did);
    await intoLastQuarter(did);
    await host.close();
    const sent = await chain.sent();
    expect(await ask(did)).toMatchObject({ ok: true, status: "already-attested" });
    expect(await chain.sent()).toBe(sent);
  });

  it("by a retired issuer is attested by a successor before expiry", async () => {
    const did = fixture.host.did(wallet);
    await ask(did);
    await chain.asOwner({ functionName: "addIssuer", args: [successor.address] });
    const next = await chain.startProcess({ account: successor });
    const request = { did, connectedAddress: wallet };
    expect(await next.issuer.verifyAndAttest(request)).toMatchObject({
      status: "already-attested",
      txHashes: [],
    });
    await chain.asOwner({ functionName: "retireIssuer", args: [issuer] });
    expect(await next.issuer.verifyAndAttest(request)).toMatchObject({ ok: true, status: "attested" });
    expect(await next.issuer.verifyAndAttest(request)).toMatchObject({
      status: "already-attested",
      txHashes: [],
    });
    expect(await chain.byHand.getDidAttestations({ did, controller: wallet })).toMatchObject([
      { live: true },
      { live: true, issuer: successor.address },
    ]);
  });
});

it("a blocked account is attested, with the time at which its control takes effect", async () => {
  const did = fixture.host.did(wallet, another);
  await ask(did);
  await chain.pass(HOUR + MINUTE);
  const blockedUntil = Math.floor(chain.now() / 1_000) + 20 * 86_400;
  await mined(chain.clientOf(1).blockController({ did, controller: another, until: blockedUntil }));
  const sent = await chain.sent();
  const waiting = { ok: false, status: "waiting", controlsFrom: blockedUntil, blockedUntil };
  const first = await ask(did, another);
  expect(first).toMatchObject({ ...waiting, attestations: [{ subject: another, issuer }] });
  expect(await ask(did, another)).toMatchObject({ ...waiting, txHashes: [] });
  expect(await chain.sent()).toBe(sent + 1);
  await chain.pass(20 * DAY);
  expect(await ask(did, another)).toMatchObject({ ok: true, status: "already-attested" });
});

it.each(["block", "challenge"])(
  "revalidation checks both accounts once, immediately after a %s",
  async (dispute) => {
    const did = fixture.host.did(wallet, another);
    await ask(did);
    await chain.pass(HOUR + MINUTE);
    await ask(did, another);
    await process.passes((dispute === "block" ? 40 : 90) * MINUTE, 10 * MINUTE);
    const quiet = fixture.host.requests().length;
    const until = Math.floor(chain.now() / 1_000) + 86_400;
    await chain.pass(MINUTE);
    await mined(
      dispute === "block"
        ? chain.clientOf(1).blockController({ did, controller: another, until })
        : chain.clientOf(2).challengeDid({ did, incumbent: wallet }),
    );
    await process.passes(20 * MINUTE, MINUTE);
    expect(fixture.host.requests().length - quiet).toBe(2);
  },
);
