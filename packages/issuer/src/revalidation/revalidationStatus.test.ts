import { createGuardedFetch } from "@app-registry/outbound";
import { testAccount } from "@app-registry/test-kit/deployContracts";
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
  restart,
  told,
  useIssuer,
  wallet,
} from "../../test/support/issuerFixture.ts";
import { NotAnIssuerError } from "../attest/issuerContext.ts";
import { createIssuer } from "../issuer.ts";

const issuer = testAccount(19).address;

useIssuer();

/** Creates attested DIDs whose documents contain the wallet. */
async function attested(count: number): Promise<string[]> {
  const dids = Array.from({ length: count }, () => fixture.host.did(wallet));
  for (const did of dids) await process.attest(did, wallet);
  return dids;
}
const ask = (did: string) => process.issuer.verifyAndAttest({ did, connectedAddress: wallet });

describe("an issuer that is retired while it runs", () => {
  it("still revokes, renews nothing, and reports its retirement once", async () => {
    const [kept = "", lost = ""] = await attested(2);
    await process.passes(MINUTE, MINUTE);
    await chain.asOwner({ functionName: "retireIssuer", args: [issuer] });
    fixture.host.name(lost, another);
    await process.passes(40 * DAY, 12 * HOUR);
    expect(await controls(lost)).toBe(false);
    expect(told("attestation revoked")).toMatchObject([{ did: lost }]);
    expect(told("issuer retired")).toMatchObject([
      { reason: expect.stringContaining("can revoke, but no longer attest") },
    ]);
    await process.passes(364 * DAY, 20 * DAY);
    expect(await controls(kept)).toBe(false);
    expect(told("attestation renewed")).toEqual([]);
    expect(told("attestation not renewed")).toEqual([]);
  });

  it("attests nothing new, and still reports existing attestations", async () => {
    const [did = ""] = await attested(1);
    await chain.asOwner({ functionName: "retireIssuer", args: [issuer] });
    expect(await ask(did)).toMatchObject({ ok: true, status: "already-attested", txHashes: [] });
    const asked = fixture.host.requests().length;
    await expect(ask(fixture.host.did(wallet))).rejects.toThrow(
      /has been retired .* can revoke, but no longer attest/,
    );
    expect(fixture.host.requests()).toHaveLength(asked);
  });

  it("starts again only with the option revalidation", async () => {
    const [did = ""] = await attested(1);
    await chain.asOwner({ functionName: "retireIssuer", args: [issuer] });
    await restart({});
    fixture.host.name(did, another);
    await process.passes(40 * DAY, 12 * HOUR);
    expect(await controls(did)).toBe(false);
    const { deployment } = chain;
    const { publicClient, database } = fixture;
    const guardedFetch = createGuardedFetch();
    const start = createIssuer({
      account: testAccount(19),
      deployment,
      publicClient,
      guardedFetch,
      database,
    });
    await expect(start).rejects.toMatchObject({ name: "NotAnIssuerError", state: { status: "retired" } });
  });
});

describe("an issuer that is distrusted while it runs", () => {
  it("sends nothing and reports the time since when it is distrusted", async () => {
    const [did = ""] = await attested(1);
    await process.passes(MINUTE, MINUTE);
    const sent = await chain.sent();
    const since = Math.floor(chain.now() / 1_000) - 86_400;
    await chain.asOwner({ functionName: "distrustIssuer", args: [issuer, BigInt(since)] });
    const time = new Date(since * 1_000).toISOString();
    fixture.host.name(did, another);
    for (let hour = 0; hour < 3; hour++) {
      await chain.pass(HOUR);
      await expect(process.revalidation.runDue()).rejects.toThrow(NotAnIssuerError);
    }
    await expect(ask(fixture.host.did(wallet))).rejects.toThrow(
      new RegExp(`distrusted .* since ${time} are void`),
    );
    expect(await chain.sent()).toBe(sent);
    await expect(chain.startProcess()).rejects.toThrow(/it can't make new ones/);
  });
});
