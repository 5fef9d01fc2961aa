import { type Address, type Chain, getAddress, SwitchChainError } from "viem";
import { ChainNotConfiguredError, createConnector } from "wagmi";
import type { Confirmations } from "./confirmations.ts";
import type { TestWallet } from "./provider.ts";
import { LOCAL_MNEMONIC, type TestAccount } from "./testAccounts.ts";

/** Connector type by which the wallet list and the page know a test account. */
const TEST_WALLET_TYPE = "testAccount";

interface Options {
  testAccount: TestAccount;
  chain: Chain;
  confirmations: Confirmations;
}

/** What the connector remembers of itself over a reload. */
type Remembered = { connected: boolean; chainId: number };

/** A wagmi connector of one test account of the local chain. It needs no extension and keeps no secret. */
export function testAccountConnector({ testAccount, chain, confirmations }: Options) {
  const id = `testAccount${testAccount.index}`;
  const storageKey = `${id}.state` as "recentConnectorId";
  let wallet: Promise<TestWallet> | undefined;

  return createConnector<TestWallet>((config) => {
    const recall = async (): Promise<Remembered> => {
      const stored = (await config.storage?.getItem(storageKey)) as Remembered | null | undefined;
      return stored ?? { connected: false, chainId: testAccount.startChainId ?? chain.id };
    };
    const remember = async (change: Partial<Remembered>) =>
      config.storage?.setItem(storageKey, { ...(await recall()), ...change } as never);

    const openWallet = async (): Promise<TestWallet> => {
      const [{ mnemonicToAccount }, { createTestWallet }, { chainId }] = await Promise.all([
        import("viem/accounts"),
        import("./provider.ts"),
        recall(),
      ]);
      return createTestWallet({
        account: mnemonicToAccount(LOCAL_MNEMONIC, { addressIndex: testAccount.index }),
        accountName: testAccount.name,
        chain,
        chainId,
        confirmations,
        onChainChanged: (changed) => {
          void remember({ chainId: changed });
          config.emitter.emit("change", { chainId: changed });
        },
      });
    };

    return {
      id,
      name: testAccount.name,
      type: TEST_WALLET_TYPE,
      async connect() {
        const accounts = await this.getAccounts();
        const chainId = await this.getChainId();
        await remember({ connected: true });
        return { accounts: accounts as never, chainId };
      },
      async disconnect() {
        await remember({ connected: false });
      },
      async getAccounts() {
        const provider = await this.getProvider();
        const accounts = (await provider.request({ method: "eth_accounts" })) as Address[];
        return accounts.map((account) => getAddress(account));
      },
      async getChainId() {
        const provider = await this.getProvider();
        return Number(await provider.request({ method: "eth_chainId" }));
      },
      getProvider() {
        wallet ??= openWallet();
        return wallet;
      },
      async isAuthorized() {
        return (await recall()).connected;
      },
      async switchChain({ chainId }) {
        const target = config.chains.find((candidate) => candidate.id === chainId);
        if (!target) throw new SwitchChainError(new ChainNotConfiguredError());
        const provider = await this.getProvider();
        await provider.request({
          method: "wallet_switchEthereumChain",
          params: [{ chainId: `0x${chainId.toString(16)}` }],
        });
        return target;
      },
      onAccountsChanged() {},
      onChainChanged(changed) {
        config.emitter.emit("change", { chainId: Number(changed) });
      },
      onDisconnect() {
        config.emitter.emit("disconnect");
      },
    };
  });
}
