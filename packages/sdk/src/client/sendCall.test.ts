import { mintParameters, newDid, testRegistry } from "@app-registry/test-kit/testRegistry";
import { createWalletClient, custom, http } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { describe, expect, inject, it } from "vitest";
import type { InsufficientFundsError } from "../errors/walletErrors.ts";
import { createAppRegistryClient } from "./createAppRegistryClient.ts";

describe("a write", () => {
  it("needs an account", async () => {
    const { deployment, chain } = await testRegistry();
    const client = createAppRegistryClient({ deployment, publicClient: chain });
    await expect(client.mint(mintParameters(newDid()))).rejects.toMatchObject({ name: "NoAccountError" });
  });

  it("says which chain the wallet must switch to", async () => {
    const { deployment, chain, publisher } = await testRegistry();
    const client = createAppRegistryClient({
      deployment: { ...deployment, chainId: 66238 },
      publicClient: chain,
      walletClient: createWalletClient({ account: publisher.account, transport: http(inject("rpcUrl")) }),
    });
    await expect(client.mint(mintParameters(newDid()))).rejects.toMatchObject({
      name: "WrongChainError",
      expectedChainId: 66238,
      actualChainId: 31337,
      action: "Switch the wallet to chain 66238.",
    });
  });

  it("says what the account has, what is needed and what is missing", async () => {
    const { deployment, chain, attest } = await testRegistry();
    const account = privateKeyToAccount(generatePrivateKey());
    const parameters = mintParameters(newDid());
    await attest(parameters.did, account.address);
    await chain.setBalance({ address: account.address, value: 5n });
    const walletClient = createWalletClient({ account, transport: http(inject("rpcUrl")) });
    const client = createAppRegistryClient({ deployment, publicClient: chain, walletClient });
    const error = await client.mint(parameters).catch((thrown: InsufficientFundsError) => thrown);
    expect(error).toMatchObject({
      name: "InsufficientFundsError",
      funds: { account: account.address, balance: 5n, currency: { symbol: "ETH", decimals: 18 } },
      action: expect.stringMatching(/^Send at least 0\.0\d+ ETH to 0x/),
    });
    expect((error as InsufficientFundsError).funds?.needed).toBeGreaterThan(10n ** 13n);
  });

  it("names the DID that nobody registered", async () => {
    const { publisher } = await testRegistry();
    const did = newDid();
    await expect(publisher.updateStatus({ did, major: 1, status: 1 })).rejects.toMatchObject({
      errorName: "AppNotFound",
      shortMessage: `No service is registered for ${did}.`,
    });
  });

  it("says that it was declined in the wallet", async () => {
    const { deployment, chain, publisher, attest } = await testRegistry();
    const parameters = mintParameters(newDid());
    await attest(parameters.did, publisher.account.address);
    // A wallet as browsers inject it, whose holder says no (EIP-1193 code 4001).
    const wallet = custom({
      async request({ method, params }) {
        if (method === "eth_sendTransaction")
          throw Object.assign(new Error("User rejected."), { code: 4001 });
        return chain.request({ method, params });
      },
    });
    const walletClient = createWalletClient({ account: publisher.account.address, transport: wallet });
    const client = createAppRegistryClient({ deployment, publicClient: chain, walletClient });
    await expect(client.mint(parameters)).rejects.toMatchObject({
      name: "RequestRejectedError",
      retryable: true,
    });
  });
});

describe("a read", () => {
  it("says that the RPC does not answer", async () => {
    const { deployment } = await testRegistry();
    const publicClient = createWalletClient({ transport: http("http://127.0.0.1:9", { retryCount: 0 }) });
    const client = createAppRegistryClient({ deployment, publicClient });
    await expect(client.totalSupply()).rejects.toMatchObject({
      name: "RpcUnavailableError",
      retryable: true,
    });
  });

  it("says that the deployment is not of this chain", async () => {
    const { deployment, chain } = await testRegistry();
    const address = "0x00000000000000000000000000000000000000AA" as const;
    const contracts = {
      ...deployment.contracts,
      AppRegistry: { ...deployment.contracts.AppRegistry, address },
    };
    const client = createAppRegistryClient({ deployment: { ...deployment, contracts }, publicClient: chain });
    await expect(client.totalSupply()).rejects.toMatchObject({
      name: "ContractNotDeployedError",
      retryable: false,
    });
  });
});
