import type { WalletList } from "@rainbow-me/rainbowkit";
import {
  type Address,
  type Chain,
  createClient,
  type Hex,
  hexToBigInt,
  http,
  numberToHex,
  SwitchChainError,
  UserRejectedRequestError,
} from "viem";
import { estimateFeesPerGas, estimateGas } from "viem/actions";
import { createConnector, mock } from "wagmi";

/** Account of the local chain, for which the node signs. */
interface TestAccount {
  address: Address;
  name: string;
  /** Chain of the account's wallet at the first connection, if different from the registry's. */
  startChainId?: number;
}

/**
 * Accounts that Hardhat funds, from the second one on. The wallet of the last one starts on Ethereum, like that of a
 * user who comes from another site.
 */
export const testAccounts: readonly TestAccount[] = [
  { name: "Test account 1", address: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8" },
  { name: "Test account 2", address: "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC" },
  { name: "Test account 3", address: "0x90F79bf6EB2c4f870365E785982E1f101E93b906" },
  { name: "Test account 4", address: "0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65" },
  {
    name: "Test account 5 (on another chain)",
    address: "0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc",
    startChainId: 1,
  },
];

/** Transaction that waits for the user's confirmation. */
export interface PendingConfirmation {
  account: string;
  from: Address;
  to: Address | undefined;
  data: Hex | undefined;
  /** Value of the transaction, in wei. */
  value: bigint;
  gas: bigint;
  /** Maximum fee per unit of gas, in wei. */
  maxFeePerGas: bigint;
}

type Waiting = PendingConfirmation & { settle: (confirmed: boolean) => void };

/** Creates a React external store of transactions that wait for confirmation, oldest first. */
export function createConfirmations() {
  let waiting: readonly Waiting[] = [];
  const listeners = new Set<() => void>();
  const change = (next: readonly Waiting[]) => {
    waiting = next;
    for (const listener of listeners) listener();
  };
  return {
    /** Requests a confirmation. Resolves with the user's decision. */
    ask: (pending: PendingConfirmation) =>
      new Promise<boolean>((settle) => change([...waiting, { ...pending, settle }])),
    /** Resolves the oldest request. */
    answer: (confirmed: boolean) => {
      const [first, ...rest] = waiting;
      change(rest);
      first?.settle(confirmed);
    },
    current: (): PendingConfirmation | undefined => waiting[0],
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

export type Confirmations = ReturnType<typeof createConfirmations>;

const ICON_BACKGROUND = "#e7ebf2";

/** Draws a square with the account's number, as a data URL. */
function icon(number: string): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 28 28"><rect width="28" height="28" fill="${ICON_BACKGROUND}"/><text x="14" y="19" text-anchor="middle" font-family="sans-serif" font-size="14" font-weight="600" fill="#1d468f">${number}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

type TransactionRequest = { to?: Address; data?: Hex; value?: Hex; gas?: Hex };

/** State that a wallet preserves across a reload. */
type Remembered = { connected: boolean; chainId: number };

/**
 * Creates the wallet of a test account: wagmi's mock connector with a confirmation before each transaction. It
 * preserves its connection and chain across a reload.
 */
export function testAccountWallet(
  { address, name, startChainId }: TestAccount,
  { chain, confirmations }: { chain: Chain; confirmations: Confirmations },
): WalletList[number]["wallets"][number] {
  const number = name.replace(/\D/g, "");
  const id = `testAccount${number}`;
  const client = createClient({ chain, transport: http() });

  /** Requests the user's confirmation. Returns the gas and fees that the user accepted. */
  async function confirm({ to, data, value = "0x0", gas: limit }: TransactionRequest) {
    const request = { to: to ?? null, ...(data && { data }), value: hexToBigInt(value) };
    const gas = limit ? hexToBigInt(limit) : await estimateGas(client, { account: address, ...request });
    const { maxFeePerGas, maxPriorityFeePerGas } = await estimateFeesPerGas(client);
    const shown = { account: name, from: address, to, data, value: request.value, gas, maxFeePerGas };
    if (!(await confirmations.ask(shown))) {
      throw new UserRejectedRequestError(new Error("You rejected the request."));
    }
    const agreed = { gas, maxFeePerGas, maxPriorityFeePerGas };
    return Object.fromEntries(Object.entries(agreed).map(([key, amount]) => [key, numberToHex(amount)]));
  }

  const createWallet = (details: object) =>
    createConnector((config) => {
      const base = mock({ accounts: [address], features: { defaultConnected: true } })(config);
      const key = `${id}.state` as "recentConnectorId";
      const recall = async (): Promise<Remembered> => {
        const stored = (await config.storage?.getItem(key)) as Remembered | null | undefined;
        return stored ?? { connected: false, chainId: startChainId ?? chain.id };
      };
      const remember = async (change: Partial<Remembered>) =>
        config.storage?.setItem(key, { ...(await recall()), ...change } as never);
      return {
        ...base,
        ...details,
        id,
        name,
        async connect(parameters) {
          // RainbowKit requests the registry's chain immediately. Ignore that, so that the wallet stays on its own
          // chain.
          const connection = await base.connect.call(this, { ...parameters, chainId: undefined });
          await remember({ connected: true });
          return connection as never;
        },
        async disconnect() {
          await base.disconnect.call(this);
          await remember({ connected: false });
        },
        isAuthorized: async () => (await recall()).connected,
        async getProvider() {
          const provider = await base.getProvider.call(this);
          const request = async ({ method, params }: { method: string; params?: unknown }) => {
            const [first] = (params ?? []) as [unknown?];
            switch (method) {
              case "eth_accounts":
                return [address];
              case "eth_chainId":
                return numberToHex((await recall()).chainId);
              case "wallet_switchEthereumChain":
                await remember({ chainId: Number((first as { chainId: Hex }).chainId) });
                break;
              case "eth_sendTransaction": {
                const { chainId } = await recall();
                if (chainId !== chain.id)
                  throw new SwitchChainError(new Error(`This wallet is on chain ${chainId}.`));
                const agreed = await confirm(first as TransactionRequest);
                return provider.request({ method, params: [{ ...(first as object), ...agreed }] } as never);
              }
            }
            return provider.request({ method, params } as never);
          };
          return { ...provider, request: request as typeof provider.request };
        },
      };
    });
  return () => ({
    id,
    name,
    iconUrl: icon(number),
    iconBackground: ICON_BACKGROUND,
    createConnector: createWallet,
  });
}
