import { type Hex, hexToBigInt } from "viem";
import { generatePrivateKey } from "viem/accounts";
import { beforeAll, describe, expect, it } from "vitest";
import { newDid, type TestRegistry, testRegistry } from "../../../test/chain/testRegistry.ts";
import { didKey } from "../didKey.ts";
import type { IssuerSignature } from "../issuerSignature.ts";

const signed = {
  issuer: "address",
  epoch: "uint32",
  issuedAt: "uint64",
  deadline: "uint64",
  nonce: "uint256",
};
const common = Object.entries(signed).map(([name, type]) => ({ name, type }));

describe("an issuer's signature that a publisher carries", () => {
  let registry: TestRegistry;

  beforeAll(async () => {
    registry = await testRegistry();
  });

  async function sign(primaryType: string, subject: { name: string; type: string; value: Hex }, did: string) {
    const { chain, issuer, deployment } = registry;
    // A little back: blocks that follow each other fast run ahead of the clock that gas is estimated at.
    const issuedAt = Number((await chain.getBlock()).timestamp) - 60;
    const statement = {
      issuer: issuer.account.address,
      epoch: 1,
      issuedAt,
      deadline: issuedAt + 3600,
      nonce: hexToBigInt(generatePrivateKey()),
    };
    const fields = [
      { name: "didHash", type: "bytes32" },
      { name: subject.name, type: subject.type },
      { name: "expiresAt", type: "uint64" },
      ...common,
    ];
    const signature = await issuer.account.signTypedData?.({
      domain: {
        name: "App Registry Resolver",
        version: "1",
        chainId: deployment.chainId,
        verifyingContract: deployment.contracts.ResolverWithStore.address,
      },
      types: { [primaryType]: fields },
      primaryType,
      message: { didHash: didKey(did), [subject.name]: subject.value, expiresAt: 0n, ...statement },
    });
    return { ...statement, signature: signature ?? "0x" } satisfies IssuerSignature;
  }

  it("attests a controller, once", async () => {
    const { publisher, mined } = registry;
    const did = newDid();
    const controller = publisher.account.address;
    const signature = await sign(
      "AttestDID",
      { name: "controller", type: "address", value: controller },
      did,
    );
    await mined(publisher.attestDidBySignature({ did, controller, signature }));
    expect(await publisher.checkDid({ did, controller })).toBe(true);
    const again = publisher.attestDidBySignature({ did, controller, signature });
    await expect(again).rejects.toMatchObject({ errorName: "NonceUsed" });
  });

  it("attests a dataHash", async () => {
    const { publisher, mined, chain } = registry;
    const did = newDid();
    const dataHash = `0x${"77".repeat(32)}` as const;
    await chain.mine({ blocks: 1, interval: 5 });
    const signature = await sign(
      "AttestDataHash",
      { name: "dataHash", type: "bytes32", value: dataHash },
      did,
    );
    await mined(publisher.attestDataHashBySignature({ did, dataHash, signature }));
    expect(await publisher.checkDataHashAttestation({ did, dataHash })).toBe(true);
  });

  it("is refused for another subject", async () => {
    const { publisher, issuer, chain } = registry;
    const did = newDid();
    await chain.mine({ blocks: 1, interval: 5 });
    const signed = { name: "controller", type: "address", value: publisher.account.address };
    const signature = await sign("AttestDID", signed, did);
    const forged = publisher.attestDidBySignature({ did, controller: issuer.account.address, signature });
    await expect(forged).rejects.toMatchObject({ errorName: "InvalidSignature" });
  });
});
