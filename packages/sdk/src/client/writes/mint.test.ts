import { mintParameters, newDid, restMetadata, testRegistry } from "@app-registry/test-kit/testRegistry";
import { decodeFunctionData, encodeFunctionData } from "viem";
import { describe, expect, it } from "vitest";
import { MAX_STORED_METADATA_SIZE } from "../../metadata/index.ts";

describe("mint", () => {
  it("registers a service and returns the hash of its transaction", async () => {
    const { publisher, attest } = await testRegistry();
    const parameters = mintParameters(newDid());
    await attest(parameters.did, publisher.account.address);
    const hash = await publisher.mint(parameters);
    const receipt = await publisher.waitForReceipt({ hash });
    expect(receipt).toMatchObject({ status: "success", transactionHash: hash });
    expect((await publisher.getApp({ did: parameters.did, major: 1 })).dataHash).toBe(parameters.dataHash);
  });

  it("rejects with NotController and sends no transaction if the wallet does not control the DID", async () => {
    const { publisher, chain } = await testRegistry();
    const { address } = publisher.account;
    const before = await chain.getTransactionCount({ address });
    await expect(publisher.mint(mintParameters(newDid()))).rejects.toMatchObject({
      name: "ContractRevertError",
      errorName: "NotController",
      args: { account: address },
    });
    expect(await chain.getTransactionCount({ address })).toBe(before);
  });

  it("decodes an error of the metadata store", async () => {
    const { publisher, attest } = await testRegistry();
    const parameters = mintParameters(newDid(), restMetadata("x".repeat(24_600)));
    await attest(parameters.did, publisher.account.address);
    await expect(publisher.mint(parameters)).rejects.toMatchObject({
      errorName: "MetadataTooLarge",
      args: { max: BigInt(MAX_STORED_METADATA_SIZE) },
      action: expect.stringContaining("dataUrl"),
    });
  });

  it.each([
    ["EmptyDataUrl", { dataUrl: "" }],
    ["DataUrlTooLong", { dataUrl: `https://example.com/${"x".repeat(2048)}` }],
    ["DataHashMismatch", { metadataJson: "{}" }],
    ["ContractIdTooLong", { contractId: "x".repeat(257) }],
    ["FungibleTokenIdTooLong", { fungibleTokenId: "x".repeat(257) }],
    ["ZeroTrait", { traitHashes: [`0x${"00".repeat(32)}` as const] }],
    ["DuplicateTrait", { traitHashes: [`0x${"01".repeat(32)}` as const, `0x${"01".repeat(32)}` as const] }],
  ])("rejects with %s", async (errorName, change) => {
    const { publisher, attest } = await testRegistry();
    const parameters = { ...mintParameters(newDid()), ...change };
    await attest(parameters.did, publisher.account.address);
    await expect(publisher.mint(parameters)).rejects.toMatchObject({ errorName, retryable: false });
  });

  it("has a prepare function that builds the call", async () => {
    const { publisher, deployment } = await testRegistry();
    const parameters = mintParameters("did:web:Example.com");
    const call = publisher.prepareMint(parameters);
    expect(call.address).toBe(deployment.contracts.AppRegistry.address);
    const { functionName, args } = decodeFunctionData({ abi: call.abi, data: encodeFunctionData(call) });
    expect(functionName).toBe("mint");
    expect(args).toEqual([
      "did:web:example.com",
      2,
      parameters.dataUrl,
      parameters.dataHash,
      0,
      "",
      "",
      1,
      0,
      0,
      parameters.traitHashes,
      parameters.metadataJson,
    ]);
  });
});
