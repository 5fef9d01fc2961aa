import { signStatement } from "@app-registry/test-kit/signStatement";
import { newDid, type TestRegistry, testRegistry } from "@app-registry/test-kit/testRegistry";
import { beforeAll, describe, expect, it } from "vitest";

describe("attestation by signature, submitted by a publisher", () => {
  let registry: TestRegistry;

  beforeAll(async () => {
    registry = await testRegistry();
  });

  it("attests a controller, and has no further effect if it is submitted again", async () => {
    const { publisher, mined } = registry;
    const did = newDid();
    const controller = publisher.account.address;
    const signature = await signStatement(registry, did, { primaryType: "AttestDID", value: controller });
    await mined(publisher.attestDidBySignature({ did, controller, signature }));
    const attestations = await publisher.getDidAttestations({ did, controller });
    expect(attestations).toMatchObject([{ statedAt: signature.statedAt, live: true }]);
    await mined(publisher.attestDidBySignature({ did, controller, signature }));
    expect(await publisher.getDidAttestations({ did, controller })).toEqual(attestations);
  });

  it("attests a dataHash", async () => {
    const { publisher, mined } = registry;
    const did = newDid();
    const dataHash = `0x${"77".repeat(32)}` as const;
    const signature = await signStatement(registry, did, { primaryType: "AttestDataHash", value: dataHash });
    await mined(publisher.attestDataHashBySignature({ did, dataHash, signature }));
    expect(await publisher.checkDataHashAttestation({ did, dataHash })).toBe(true);
  });
});
