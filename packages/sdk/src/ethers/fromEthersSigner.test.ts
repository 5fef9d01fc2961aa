import { mintParameters, newDid, registerApp, testRegistry } from "@app-registry/test-kit/testRegistry";
import { JsonRpcProvider, NonceManager, VoidSigner, Wallet } from "ethers";
import { parseEther } from "viem";
import { generatePrivateKey } from "viem/accounts";
import { describe, expect, inject, it, onTestFinished } from "vitest";
import { createAppRegistryClient } from "../client/createAppRegistryClient.ts";
import { fromEthersSigner } from "./fromEthersSigner.ts";
import { AppRegistry__factory } from "./index.ts";

async function ethersWallet({ funded = true } = {}) {
  const { chain } = await testRegistry();
  const provider = new JsonRpcProvider(inject("rpcUrl"), undefined, {
    pollingInterval: 50,
    cacheTimeout: -1,
  });
  onTestFinished(() => provider.destroy());
  const wallet = new Wallet(generatePrivateKey(), provider);
  if (funded) await chain.setBalance({ address: wallet.address as `0x${string}`, value: parseEther("1") });
  return wallet;
}

describe("client of an ethers signer", () => {
  it("publishes, updates and reads a record", async () => {
    const { deployment, attest } = await testRegistry();
    const signer = new NonceManager(await ethersWallet());
    const client = createAppRegistryClient({ deployment, ...(await fromEthersSigner(signer)) });
    const parameters = mintParameters(newDid());
    const { did, dataHash } = parameters;
    const owner = (await signer.getAddress()) as `0x${string}`;
    await attest(did, owner);
    await client.waitForReceipt({ hash: await client.mint(parameters) });
    expect(await client.getAppSummary({ did, major: 1 })).toMatchObject({ owner, minter: owner, dataHash });
    await client.waitForReceipt({ hash: await client.updateStatus({ did, major: 1, status: 1 }) });
    expect((await client.getApp({ did, major: 1 })).status).toBe(1);
  });

  it("rejects with the contract's error before anything is signed", async () => {
    const { deployment } = await testRegistry();
    const client = createAppRegistryClient({ deployment, ...(await fromEthersSigner(await ethersWallet())) });
    await expect(client.mint(mintParameters(newDid()))).rejects.toMatchObject({ errorName: "NotController" });
  });

  it("rejects with InsufficientFundsError if the account can't pay", async () => {
    const { deployment, attest } = await testRegistry();
    const signer = await ethersWallet({ funded: false });
    const client = createAppRegistryClient({ deployment, ...(await fromEthersSigner(signer)) });
    const parameters = mintParameters(newDid());
    await attest(parameters.did, signer.address as `0x${string}`);
    await expect(client.mint(parameters)).rejects.toMatchObject({ name: "InsufficientFundsError" });
  });

  it("rejects a signer without a provider", async () => {
    const signer = new VoidSigner("0x00000000000000000000000000000000000000AA");
    await expect(fromEthersSigner(signer)).rejects.toMatchObject({ name: "EthersProviderError" });
  });
});

it("ethers factories of the contracts read records and decode errors", async () => {
  const registry = await testRegistry();
  const { deployment, publisher } = registry;
  const { did } = await registerApp(registry);
  const contract = AppRegistry__factory.connect(
    deployment.contracts.AppRegistry.address,
    await ethersWallet(),
  );
  expect((await contract.getAppSummary(did, 1)).owner).toBe(publisher.account.address);
  const { functionName, args } = publisher.prepareUpdateStatus({ did, major: 1, status: 1 });
  await expect(contract[functionName].staticCall(...args)).rejects.toThrow("NotAuthorized");
});
