import {
  mintParameters,
  newDid,
  registerApp,
  restMetadata,
  testRegistry,
} from "@app-registry/test-kit/testRegistry";
import { decodeFunctionData, encodeFunctionData } from "viem";
import { describe, expect, it } from "vitest";
import { MAX_STORED_METADATA_SIZE } from "../index.ts";

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

describe("updateAppControlled", () => {
  const version = { major: 1, minor: 0, patch: 1 };

  it("publishes a new version with its document", async () => {
    const registry = await testRegistry();
    const { publisher, mined } = registry;
    const { did } = await registerApp(registry);
    const next = mintParameters(did, restMetadata("Weather 2"));
    await mined(publisher.updateAppControlled({ ...next, version, dataUrl: "https://example.com/2.json" }));
    expect(await publisher.getAppSummary({ did, major: 1 })).toMatchObject({
      latestVersion: version,
      dataUrl: "https://example.com/2.json",
      dataHash: next.dataHash,
    });
    expect(await publisher.getMetadata(did)).toMatchObject({ json: next.metadataJson, version });
  });

  it("rejects an update that would reuse a stored URL of an older version", async () => {
    const registry = await testRegistry();
    const { publisher } = registry;
    const { did } = await registerApp(registry, { dataUrl: "https://example.com/x/v/1.0.0" });
    const { dataUrl: _, ...next } = mintParameters(did, restMetadata("Weather 2"));
    const update = publisher.updateAppControlled({ ...next, version });
    await expect(update).rejects.toMatchObject({ name: "PublicationConflictError", code: "data-url" });
  });
});

describe("a registered record", () => {
  it("gets its older JSON republished, another status and another holder", async () => {
    const registry = await testRegistry();
    const { publisher, mined, newAccount } = registry;
    const { did, metadataJson } = await registerApp(registry);
    const second = mintParameters(did, restMetadata("Weather 2"));
    await mined(publisher.mint({ ...second, version: { major: 2, minor: 0, patch: 0 } }));
    expect((await publisher.getMetadata(did))?.json).toBe(second.metadataJson);
    await mined(publisher.republishMetadata({ did, major: 1, metadataJson }));
    expect((await publisher.getMetadata(did))?.json).toBe(metadataJson);

    await mined(publisher.updateStatus({ did, major: 1, status: 1 }));
    expect((await publisher.getAppSummary({ did, major: 1 })).status).toBe(1);
    await expect(publisher.updateStatus({ did, major: 1, status: 1 })).rejects.toMatchObject({
      errorName: "StatusUnchanged",
      shortMessage: "The record already has status Deprecated.",
    });

    const buyer = await newAccount();
    const tokenId = await publisher.tokenIdOf({ did, major: 1 });
    const sale = { from: publisher.account.address, to: buyer.account.address, tokenId };
    await expect(buyer.transfer(sale)).rejects.toMatchObject({ errorName: "ERC721InsufficientApproval" });
    await mined(publisher.transfer(sale));
    expect(await publisher.getAppSummary({ did, major: 1 })).toMatchObject({
      owner: buyer.account.address,
      minter: publisher.account.address,
    });
  });
});
