import { hashDocument } from "@app-registry/sdk";
import type { Hex } from "viem";
import { describe, expect, it } from "vitest";
import {
  chain,
  DAY,
  fixture,
  HOUR,
  process,
  told as toldOfAll,
  useIssuer,
  wallet,
} from "../../test/support/issuerFixture.ts";

const document = '{"name":"A service"}';

useIssuer();

type Registered = { did: string; dataHash: Hex; path: string };

/** Registers version 1.0.0 of a new DID and has its hash attested. */
async function register({ onChain = false } = {}): Promise<Registered> {
  const did = fixture.host.did(wallet);
  await process.attest(did, wallet);
  const path = `/${did.split(":").at(-1)}/metadata.json`;
  fixture.host.put(path, document);
  const { canonical, dataHash } = hashDocument(document, 0);
  const publisher = chain.clientOf(1);
  const hash = await publisher.mint({
    did,
    interfaces: 1,
    dataUrl: `${fixture.host.origin}${path}`,
    dataHash,
    dataHashAlgorithm: 0,
    version: { major: 1, minor: 0, patch: 0 },
    traitHashes: [],
    metadataJson: onChain ? canonical : "",
  });
  await publisher.waitForReceipt({ hash });
  const request = { did, connectedAddress: wallet, requiredSchemas: ["data-hash" as const] };
  expect(await process.issuer.verifyAndAttest(request)).toMatchObject({ status: "attested" });
  return { did, dataHash, path };
}

/** Publishes version 1.1.0 with another document. */
async function update({ did }: Registered): Promise<void> {
  const publisher = chain.clientOf(1);
  const { canonical, dataHash } = hashDocument('{"name":"A service, renewed"}', 0);
  const next = { dataUrl: "", dataHash, dataHashAlgorithm: 0 as const, metadataJson: canonical };
  const hash = await publisher.updateAppControlled({
    did,
    version: { major: 1, minor: 1, patch: 0 },
    ...next,
  });
  await publisher.waitForReceipt({ hash });
}

const isAttested = ({ did, dataHash }: Registered) =>
  chain.byHand.checkDataHashAttestation({ did, dataHash });
const told = (event: string) =>
  toldOfAll(event).filter((entry) => "schema" in entry && entry.schema === "data-hash");
const outcomes = () => told("attestation checked").map((event) => "outcome" in event && event.outcome);

describe("an attested dataHash", () => {
  it("is renewed while a record has it and the document at its dataUrl matches it", async () => {
    const registered = await register();
    await process.passes(380 * DAY, 30 * DAY);
    expect(await isAttested(registered)).toBe(true);
    expect(told("attestation renewed")).toHaveLength(1);
    expect(new Set(outcomes())).toEqual(new Set(["holds"]));
  });

  it("expires if no record has it any more", async () => {
    const registered = await register({ onChain: true });
    await update(registered);
    await process.passes(360 * DAY, 30 * DAY);
    expect(await isAttested(registered)).toBe(true);
    expect(new Set(outcomes())).toEqual(new Set(["lapses"]));
    await process.passes(10 * DAY, 5 * DAY);
    expect(await isAttested(registered)).toBe(false);
    expect(told("attestation renewed")).toEqual([]);
    expect(told("attestation revoked")).toEqual([]);
  });

  it("expires if neither minter nor holder controls the DID any more", async () => {
    const registered = await register({ onChain: true });
    const hash = await chain.byHand.revokeDid({ did: registered.did, controller: wallet });
    await chain.byHand.waitForReceipt({ hash });
    await process.passes(360 * DAY, 30 * DAY);
    expect(new Set(outcomes())).toEqual(new Set(["lapses"]));
    expect(told("attestation renewed")).toEqual([]);
  });

  it("is revoked if dataUrl serves another document in two checks an hour apart", async () => {
    const registered = await register();
    fixture.host.put(registered.path, '{"name":"Another service"}');
    await process.passes(30 * DAY, 12 * HOUR);
    expect(told("attestation revoked")).toMatchObject([{ did: registered.did, code: "hash-mismatch" }]);
    expect(outcomes()).toEqual(["fails", "fails"]);
    expect(await isAttested(registered)).toBe(false);
    expect(await chain.byHand.checkDid({ did: registered.did, controller: wallet })).toBe(true);
  });

  it("is neither revoked nor renewed while the document is missing", async () => {
    const registered = await register();
    fixture.host.put(registered.path, "", { status: 404 });
    await process.passes(360 * DAY, 30 * DAY);
    expect(new Set(outcomes())).toEqual(new Set(["no-answer"]));
    expect(told("attestation renewed")).toEqual([]);
    expect(await isAttested(registered)).toBe(true);
  });
});
