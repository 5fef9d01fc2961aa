"use client";

import { Button, Modal } from "@mantine/core";
import { useEffect, useState } from "react";
import { type Connector, ProviderNotFoundError, useConnect } from "wagmi";
import { Problem } from "../../components/record/Problem.tsx";
import { BROWSER_WALLET, WALLET_CONNECT } from "./config.ts";
import styles from "./wallet.module.css";

/** The dialog in which a person chooses a wallet. */
export default function ConnectDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title="Connect a wallet"
      closeButtonProps={{ "aria-label": "Close" }}
      centered
      size="sm"
      transitionProps={{ duration: 120 }}
    >
      <Wallets onConnected={onClose} />
    </Modal>
  );
}

function Wallets({ onConnected }: { onConnected: () => void }) {
  const { connectors, connect, variables, isPending, error } = useConnect({
    mutation: { onSuccess: onConnected },
  });
  const asked = variables?.connector as Connector | undefined;
  return (
    <div className="stack2">
      <ul aria-label="Wallets" className="stack">
        {offered(connectors).map((connector) => (
          <li key={connector.uid}>
            <Button
              variant="default"
              fullWidth
              justify="flex-start"
              leftSection={<Icon connector={connector} />}
              loading={isPending && asked?.uid === connector.uid && connector.id !== WALLET_CONNECT}
              onClick={() => connect({ connector })}
            >
              {connector.name}
            </Button>
          </li>
        ))}
      </ul>
      {isPending && asked?.id === WALLET_CONNECT ? <Pairing connector={asked} /> : null}
      {error === null || asked === undefined ? null : <ConnectProblem wallet={asked.name} error={error} />}
    </div>
  );
}

/** Wallets that announce themselves (EIP-6963) go by their own names; the one that does not is offered when none does. */
function offered(connectors: readonly Connector[]): Connector[] {
  const announces = connectors.some(({ id, type }) => type === "injected" && id !== BROWSER_WALLET);
  return connectors.filter(({ id }) => !(announces && id === BROWSER_WALLET));
}

const Icon = ({ connector: { icon } }: { connector: Connector }) =>
  // biome-ignore lint/performance/noImgElement: a wallet's icon is a data URL
  icon === undefined ? null : <img src={icon.trim()} alt="" width={24} height={24} />;

function ConnectProblem({ wallet, error }: { wallet: string; error: Error }) {
  const missing = error instanceof ProviderNotFoundError;
  const { shortMessage = error.message } = error as { shortMessage?: string };
  return (
    <Problem
      level={3}
      tone="unknown"
      title={missing ? "No wallet found in this browser" : `Couldn't connect ${wallet}`}
      why={missing ? "Install a wallet extension, then reload this page." : shortMessage}
    />
  );
}

/** The code with which a wallet on another device, or another app on this one, takes part (WalletConnect). */
function Pairing({ connector }: { connector: Connector }) {
  const [pairing, setPairing] = useState<{ uri: string; code: string }>();
  useEffect(() => {
    const show = async ({ type, data }: { type: string; data?: unknown }) => {
      if (type !== "display_uri" || typeof data !== "string") return;
      const { encodeQR } = await import("qr");
      setPairing({ uri: data, code: encodeQR(data, "svg", { border: 2 }) });
    };
    connector.emitter.on("message", show);
    return () => connector.emitter.off("message", show);
  }, [connector]);
  if (pairing === undefined) return <p className="soft">Loading WalletConnect…</p>;
  return (
    <div className="stack">
      {/* biome-ignore lint/performance/noImgElement: the code is drawn in the page */}
      <img
        className={styles.code}
        src={`data:image/svg+xml,${encodeURIComponent(pairing.code)}`}
        alt="QR code to scan with your wallet"
      />
      <p className="soft">
        Scan the code with your wallet, or <a href={pairing.uri}>open a wallet on this device</a>.
      </p>
    </div>
  );
}
