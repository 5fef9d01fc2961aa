import { hashDocument, type SignedAttestation, sendSignedAttestation } from "@app-registry/sdk";
import { testAccount } from "@app-registry/test-kit/deployContracts";
import { describe, expect, it } from "vitest";
import {
  chain,
  controls,
  DAY,
  fixture,
  MINUTE,
  useIssuer,
  wallet,
} from "../../test/support/issuerFixture.ts";

const issuer = testAccount(19).address;

useIssuer({ starts: false });

/** Creates a signing process whose clock is off by some milliseconds. */
async function signer({ clockError = 0 } = {}) {
  const { issuer: signing } = await chain.startProcess({
    mode: "sign",
    now: () => chain.now() + clockError,
  });
  return async (did: string, requiredSchemas: ("did-ownership" | "data-hash")[] = ["did-ownership"]) => {
    const answer = await signing.verifyAndAttest({ did, connectedAddress: wallet, requiredSchemas });
    const [signed] = answer.status === "signed" ? answer.signatures : [];
    if (!signed) throw new Error(JSON.stringify(answer));
    return signed;
  };
}
const publisher = () => chain.clientOf(1);
const mined = async (hash: Promise<`0x${string}`>) => chain.byHand.waitForReceipt({ hash: await hash });
const carry = (signed: SignedAttestation) => mined(sendSignedAttestation(publisher(), signed));
const time = async () => Number((await fixture.publicClient.getBlock()).timestamp);
const getAttestation = async (did: string) =>
  (await chain.byHand.getDidAttestations({ did, controller: wallet }))[0];

describe("the date of a signature", () => {
  it.each([
    ["right", 0],
    ["ten minutes ahead of the chain", 10 * MINUTE],
    ["ten minutes behind the chain", -10 * MINUTE],
    ["a year behind the chain", -365 * DAY],
  ])(
    "is not in the chain's future and is valid for almost a day with a clock that is %s",
    async (_, clockError) => {
      const sign = await signer({ clockError });
      await chain.pass(5 * MINUTE);
      const did = fixture.host.did(wallet);
      const now = await time();
      const signed = await sign(did);
      const { statedAt, deadline } = signed.signature;
      expect(statedAt).toBeLessThanOrEqual(now);
      expect(statedAt).toBeGreaterThanOrEqual(now - 120);
      expect(deadline).toBe(statedAt + 86_400);
      await chain.pass(DAY - 3 * MINUTE);
      await carry(signed);
      expect(await controls(did)).toBe(true);
      expect((await getAttestation(did))?.expiresAt).toBe(statedAt + 365 * 86_400);
    },
  );

  it("is not before the issuer's addition", async () => {
    const sign = await signer();
    const did = fixture.host.did(wallet);
    const { addedAt } = await chain.byHand.getIssuer(issuer);
    const signed = await sign(did);
    expect(signed.signature.statedAt).toBe(addedAt);
    await carry(signed);
    expect(await controls(did)).toBe(true);
  });

  it("is the machine's time if the chain has had no block for days", async () => {
    const sign = await signer({ clockError: 3 * DAY });
    const did = fixture.host.did(wallet);
    const signed = await sign(did);
    await chain.pass(3 * DAY);
    await carry(signed);
    expect(await controls(did)).toBe(true);
  });

  it("is after the issuer's latest statement, so that a revoked hash can be attested again", async () => {
    const sign = await signer();
    await chain.pass(5 * MINUTE);
    const did = fixture.host.did(wallet);
    await carry(await sign(did));
    const { canonical, dataHash } = hashDocument('{"name":"A service"}', 0);
    const record = {
      did,
      interfaces: 1,
      dataUrl: `${fixture.host.origin}/metadata.json`,
      dataHash,
      dataHashAlgorithm: 0 as const,
      version: { major: 1, minor: 0, patch: 0 },
      traitHashes: [],
      metadataJson: canonical,
    };
    await mined(publisher().mint(record));
    const first = await sign(did, ["data-hash"]);
    await carry(first);
    await mined(chain.byHand.revokeDataHash({ did, dataHash }));
    const revokedAt = await time();
    await expect(carry(first)).rejects.toMatchObject({ errorName: "StaleStatement" });
    expect(await publisher().checkDataHashAttestation({ did, dataHash })).toBe(false);
    await expect(sign(did, ["data-hash"])).rejects.toThrow("recently-revoked");
    await chain.pass(70 * MINUTE);
    const second = await sign(did, ["data-hash"]);
    expect(second.signature.statedAt).toBeGreaterThan(revokedAt);
    await chain.pass(2_000);
    await carry(second);
    expect(await publisher().checkDataHashAttestation({ did, dataHash })).toBe(true);
  });
});
