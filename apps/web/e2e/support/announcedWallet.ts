import type { Page } from "@playwright/test";
import type { Address } from "viem";
import { RPC_URL } from "./chain.ts";

const declined = { code: 4001, message: "The user declined." };

/** Browser wallet controlled by a test. */
export interface AnnouncedWallet {
  /** Declines to sign from now on, or stops declining. */
  decline: (declines: boolean) => void;
  /** Number of transactions that the wallet was requested to sign. */
  asked: () => number;
  /** Switches the wallet to another account and notifies the page. */
  choose: (account: Address) => Promise<void>;
  /** Switches the wallet to another chain and notifies the page. */
  moveTo: (chainId: number) => Promise<void>;
}

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
  const state = { account, chainId: 31337, declines: false, asked: 0, isAllowed: false };
  await page.exposeFunction("exampleWalletRequest", async (method: string, params: unknown) => {
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
      case "wallet_switchEthereumChain": {
        const [{ chainId }] = params as [{ chainId: string }];
        state.chainId = Number(chainId);
        return { result: null, chainChanged: chainId };
      }
      case "eth_sendTransaction":
        state.asked += 1;
        if (state.declines) return { error: declined };
    }
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const headers = { "content-type": "application/json" };
    return (await fetch(RPC_URL, { method: "POST", headers, body })).json();
  });
  await page.addInitScript((isInjected) => {
    type Listener = (value: unknown) => void;
    const listeners = new Map<string, Set<Listener>>();
    const emit = (event: string, value: unknown) =>
      listeners.get(event)?.forEach((listen) => void listen(value));
    type Answer = { error?: { code: number; message: string }; chainChanged?: string; result?: unknown };
    const { exampleWalletRequest: ask } = globalThis as unknown as Record<
      string,
      (...args: unknown[]) => Promise<Answer>
    >;
    const provider = {
      request: async ({ method, params }: { method: string; params?: unknown }) => {
        const answer = await ask?.(method, params ?? []);
        if (answer?.error) throw Object.assign(new Error(answer.error.message), answer.error);
        if (answer?.chainChanged) emit("chainChanged", answer.chainChanged);
        return answer?.result;
      },
      on: (event: string, listen: Listener) =>
        listeners.set(event, new Set([...(listeners.get(event) ?? []), listen])),
      removeListener: (event: string, listen: Listener) => listeners.get(event)?.delete(listen),
    };
    addEventListener("example-wallet", (event) => {
      const [name, value] = (event as CustomEvent<[string, unknown]>).detail;
      emit(name, value);
    });
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
  const tell = (name: string, value: unknown) =>
    page.evaluate(
      (detail) => void dispatchEvent(new CustomEvent("example-wallet", { detail })),
      [name, value],
    );
  return {
    decline: (declines) => {
      state.declines = declines;
    },
    asked: () => state.asked,
    choose: async (next) => {
      state.account = next;
      await tell("accountsChanged", [next]);
    },
    moveTo: async (chainId) => {
      state.chainId = chainId;
      await tell("chainChanged", `0x${chainId.toString(16)}`);
    },
  };
}
