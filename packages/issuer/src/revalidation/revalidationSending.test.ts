import { testAccount } from "@app-registry/test-kit/deployContracts";
import { createTestClient, http, parseEther } from "viem";
import { hardhat } from "viem/chains";
import { beforeEach, describe, expect, it } from "vitest";
import {
  another,
  chain,
  controls,
  DAY,
  type Deployed,
  fixture,
  HOUR,
  told,
  useIssuer,
  wallet,
} from "../../test/support/issuerFixture.ts";

const issuer = testAccount(19).address;

useIssuer({ starts: false });
beforeEach(() => setBalance("10000"));

const setBalance = (ether: string) =>
  createTestClient({ chain: hardhat, mode: "hardhat", transport: http(fixture.rpcUrl) }).setBalance({
    address: issuer,
    value: parseEther(ether),
  });

/** Starts a process and runs the first failing check of a DID. */
async function failingOnce(options: Parameters<Deployed["startProcess"]>[0] = {}) {
  const process = await chain.startProcess(options);
  const did = fixture.host.did(wallet);
  await process.attest(did, wallet);
  fixture.host.name(did, another);
  await process.passesUntil("fails", 6 * HOUR);
  return { did, process };
}

describe("a revocation", () => {
  it("waits while the issuer is at its spending cap, and is sent later", async () => {
    const { did, process: first } = await failingOnce();
    first.issuer.close();
    const capped = await chain.startProcess({ spendingCap: 1n });
    await capped.passes(5 * HOUR, HOUR);
    expect(await controls(did)).toBe(true);
    expect(told("attestation not revoked", capped)).toMatchObject([
      { did, reason: expect.stringContaining("per hour") },
    ]);
    expect(await capped.revalidation.count()).toMatchObject({ attestations: 1, failing: 1 });
    capped.issuer.close();
    const freed = await chain.startProcess();
    await freed.passes(2 * HOUR, HOUR / 2);
    expect(await controls(did)).toBe(false);
  });

  it("that is pending is not sent again, and removes the attestation once it is mined", async () => {
    const { did, process } = await failingOnce({ receiptTimeout: 500 });
    const sent = await chain.sent();
    const node = createTestClient({ chain: hardhat, mode: "hardhat", transport: http(fixture.rpcUrl) });
    await chain.pass(80 * 60_000);
    await node.setAutomine(false);
    try {
      await process.revalidation.runDue();
      expect(await controls(did)).toBe(true);
      expect(await process.revalidation.count()).toMatchObject({ attestations: 1 });
    } finally {
      await node.mine({ blocks: 1 });
      await node.setAutomine(true);
    }
    expect(await controls(did)).toBe(false);
    await process.passes(HOUR, HOUR / 4);
    expect(await chain.sent()).toBe(sent + 1);
    expect(await process.revalidation.count()).toMatchObject({ attestations: 0 });
  });
});

describe("a renewal", () => {
  it("waits while the issuer can't pay, is reported once, and is sent later", async () => {
    const process = await chain.startProcess();
    const did = fixture.host.did(wallet);
    await process.attest(did, wallet);
    await setBalance("0");
    await process.passes(340 * DAY, 10 * DAY);
    expect(told("attestation not renewed", process)).toMatchObject([
      { did, reason: expect.stringContaining("can't pay") },
    ]);
    await setBalance("1");
    await process.passes(10 * DAY, DAY);
    expect(told("attestation renewed", process)).toHaveLength(1);
    await chain.pass(30 * DAY);
    expect(await controls(did)).toBe(true);
  });
});

describe("an issuer in the mode sign", () => {
  /** Submits a signed attestation as a publisher. The process knows its DID because it signed. */
  async function signed() {
    const process = await chain.startProcess({ mode: "sign" });
    const did = fixture.host.did(wallet);
    const answer = await process.issuer.verifyAndAttest({ did, connectedAddress: wallet });
    if (answer.status !== "signed") throw new Error(answer.status);
    const [carried] = answer.signatures;
    if (carried?.schema !== "did-ownership") throw new Error("signed something else");
    const publisher = chain.clientOf(1);
    const hash = await publisher.attestDidBySignature(carried);
    await publisher.waitForReceipt({ hash });
    return { did, process };
  }

  it("does not renew, because publishers do", async () => {
    const { did, process } = await signed();
    const sent = await chain.sent();
    await process.passes(364 * DAY, 30 * DAY);
    expect(new Set(process.outcomes())).toEqual(new Set(["holds"]));
    await chain.pass(2 * DAY);
    expect(await controls(did)).toBe(false);
    expect(await chain.sent()).toBe(sent);
  });

  it("revokes attestations that are no longer true", async () => {
    const { did, process } = await signed();
    fixture.host.name(did, another);
    await process.passes(30 * DAY, 12 * HOUR);
    expect(await controls(did)).toBe(false);
    expect(told("attestation revoked", process)).toHaveLength(1);
  });
});
