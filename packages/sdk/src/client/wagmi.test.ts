import { mintParameters, newDid, testRegistry } from "@app-registry/test-kit/testRegistry";
import { connect, createConfig, disconnect, getPublicClient, getWalletClient, mock } from "@wagmi/core";
import { http, parseEther } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { hardhat } from "viem/chains";
import { expect, inject, it, onTestFinished } from "vitest";
import { createAppRegistryClient } from "./createAppRegistryClient.ts";

/** Account whose key the chain itself holds, like a browser wallet. */
const unlocked = privateKeyToAccount(
  "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80",
).address;

it("publishes with the clients of a wagmi config", async () => {
  const { deployment, attest, chain } = await testRegistry();
  await chain.setBalance({ address: unlocked, value: parseEther("100") });
  const rpcUrl = inject("rpcUrl");
  const config = createConfig({
    chains: [{ ...hardhat, rpcUrls: { default: { http: [rpcUrl] } } }],
    connectors: [mock({ accounts: [unlocked] })],
    transports: { [hardhat.id]: http(rpcUrl) },
    pollingInterval: 50,
  });
  const [connector] = config.connectors;
  if (!connector) throw new Error("The config has no connector.");
  await connect(config, { connector });
  onTestFinished(() => disconnect(config));

  const walletClient = await getWalletClient(config);
  const client = createAppRegistryClient({ deployment, publicClient: getPublicClient(config), walletClient });

  const parameters = mintParameters(newDid());
  await attest(parameters.did, unlocked);
  await client.waitForReceipt({ hash: await client.mint(parameters) });
  expect(await client.getAppSummary({ did: parameters.did, major: 1 })).toMatchObject({ owner: unlocked });
});
