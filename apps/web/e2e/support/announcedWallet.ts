import type { Page } from "@playwright/test";
import type { Address } from "viem";
import { RPC_URL } from "./chain.ts";

/** Browser wallet controlled by a test. */
export interface AnnouncedWallet {
  /** True while it declines to sign. */
  declines: boolean;
  /** Number of transactions that the wallet was requested to sign. */
  asked: number;
  /** Switches the wallet to another account and notifies the page. */
  choose: (account: Address) => Promise<void>;
  /** Switches the wallet to another chain and notifies the page. */
  moveTo: (chainId: number) => Promise<void>;
}

type Answer = { result?: unknown; error?: { code: number; message: string } };
type ExampleWallet = {
  exampleWalletRequest: (method: string, params: unknown) => Promise<Answer>;
  exampleWalletEmit: (event: string, value: unknown) => void;
};

/**
 * Adds a wallet to the page that announces itself (EIP-6963) as "Example Wallet" and is an EIP-1193 provider. It signs
 * with accounts of the local chain's node, and preserves its account and chain across a reload. With `isInjected`, it is
 * also at `window.ethereum`.
 */
export async function announceWallet(
  page: Page,
  account: Address,
  { isInjected = false } = {},
): Promise<AnnouncedWallet> {
  const state = { account, chainId: 31337, isAllowed: false };
  const emit = (event: string, value: unknown) =>
    page.evaluate(
      ([event, value]) => (globalThis as unknown as ExampleWallet).exampleWalletEmit(event, value),
      [event, value] as const,
    );
  const wallet: AnnouncedWallet = {
    declines: false,
    asked: 0,
    async choose(next) {
      state.account = next;
      await emit("accountsChanged", [next]);
    },
    async moveTo(chainId) {
      state.chainId = chainId;
      await emit("chainChanged", `0x${chainId.toString(16)}`);
    },
  };
  await page.exposeFunction(
    "exampleWalletRequest",
    async (method: string, params: unknown): Promise<Answer> => {
      switch (method) {
        case "eth_chainId":
          return { result: `0x${state.chainId.toString(16)}` };
        case "eth_requestAccounts":
          state.isAllowed = true;
          return { result: [state.account] };
        case "eth_accounts":
          return { result: state.isAllowed ? [state.account] : [] };
        case "wallet_requestPermissions":
        case "wallet_revokePermissions":
          return { result: [] };
        case "wallet_switchEthereumChain":
          await wallet.moveTo(Number((params as [{ chainId: string }])[0].chainId));
          return { result: null };
        case "eth_sendTransaction":
          wallet.asked += 1;
          if (wallet.declines) return { error: { code: 4001, message: "The user declined." } };
      }
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
      const headers = { "content-type": "application/json" };
      return (await fetch(RPC_URL, { method: "POST", headers, body })).json();
    },
  );
  await page.addInitScript((isInjected) => {
    type Listener = (value: unknown) => void;
    const listeners = new Map<string, Set<Listener>>();
    const wallet = globalThis as unknown as ExampleWallet;
    wallet.exampleWalletEmit = (event, value) =>
      listeners.get(event)?.forEach((listen) => void listen(value));
    const provider = {
      request: async ({ method, params }: { method: string; params?: unknown }) => {
        const { result, error } = await wallet.exampleWalletRequest(method, params ?? []);
        if (error) throw Object.assign(new Error(error.message), error);
        return result;
      },
      on: (event: string, listen: Listener) =>
        listeners.set(event, new Set([...(listeners.get(event) ?? []), listen])),
      removeListener: (event: string, listen: Listener) => listeners.get(event)?.delete(listen),
    };
    const info = {
      uuid: "350670db-19fa-4704-a166-e52e178b59d2",
      name: "Example Wallet",
      icon: "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>",
      rdns: "example.wallet",
    };
    const announce = () =>
      dispatchEvent(
        new CustomEvent("eip6963:announceProvider", { detail: Object.freeze({ info, provider }) }),
      );
    addEventListener("eip6963:requestProvider", announce);
    announce();
    if (isInjected) Object.assign(window, { ethereum: provider });
  }, isInjected);
  return wallet;
}
