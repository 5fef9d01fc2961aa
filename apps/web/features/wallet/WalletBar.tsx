"use client";

import { Button, type ButtonProps } from "@mantine/core";
import { useAccountModal, useChainModal, useConnectModal } from "@rainbow-me/rainbowkit";
import type { ComponentPropsWithoutRef } from "react";
import { useSwitchChain } from "wagmi";
import { AddressText } from "../../components/record/labels.tsx";
import { Problem } from "../../components/record/Problem.tsx";
import { createChain } from "./config.ts";
import { useRegistryConnection, useWallet } from "./useRegistryClient.ts";

type WalletBarProps = {
  /** Hint on which features work without a wallet. */
  hint: string;
  /** The page needs a wallet before anything else. */
  isPrimary?: boolean;
};

/** Shows the connected wallet with its network, or a button that connects one. */
export function WalletBar({ hint, isPrimary = false }: WalletBarProps) {
  const { address, connectorName, isConnected, isOpening } = useWallet();
  const { openConnectModal } = useConnectModal();
  const { openAccountModal } = useAccountModal();
  const { openChainModal } = useChainModal();
  return (
    <section className="bar small" aria-label="Wallet">
      {isConnected && address ? (
        <>
          <span className="soft">Signing as</span>
          <AddressText address={address} />
          {connectorName ? <span className="soft">{connectorName}</span> : null}
          {openAccountModal ? (
            <QuietButton aria-haspopup="dialog" onClick={openAccountModal}>
              Account
            </QuietButton>
          ) : null}
          <QuietButton aria-haspopup="dialog" onClick={openChainModal}>
            Network
          </QuietButton>
        </>
      ) : isOpening ? (
        <span className="soft">Connecting to your wallet…</span>
      ) : (
        <>
          <span className="soft">No wallet connected. {hint}</span>
          <Button
            variant={isPrimary ? "filled" : "default"}
            aria-haspopup="dialog"
            onClick={openConnectModal}
          >
            Connect wallet
          </Button>
        </>
      )}
    </section>
  );
}

/** Warns that the wallet is on another chain than the registry, and offers to switch. */
export function ChainNotice() {
  const { chainId, isConnected, isOnRegistryChain } = useWallet();
  const { deployment, rpcUrl } = useRegistryConnection();
  const { switchChain, isPending, error } = useSwitchChain();
  if (!isConnected || isOnRegistryChain) return null;
  const chain = createChain(deployment, rpcUrl);
  return (
    <Problem
      tone="unknown"
      title="Your wallet is on the wrong chain"
      why={`The registry is on ${chain.name} (chain id ${chain.id}); your wallet is on chain id ${chainId}. Your draft is safe.`}
      action={
        <Button loading={isPending} onClick={() => switchChain({ chainId: chain.id })}>
          Switch to {chain.name}
        </Button>
      }
      detail={error?.message}
    />
  );
}

type QuietButtonProps = ButtonProps & Omit<ComponentPropsWithoutRef<"button">, keyof ButtonProps>;

/** Renders a secondary button without a frame, in the color of links. */
export function QuietButton(props: QuietButtonProps) {
  return <Button variant="subtle" size="compact-sm" color="var(--accent)" {...props} />;
}
