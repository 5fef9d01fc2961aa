"use client";

import { toAppRegistryError } from "@app-registry/sdk";
import { Button } from "@mantine/core";
import Link from "next/link";
import { Problem } from "../../components/record/Problem.tsx";
import type { RegistryConnection } from "../wallet/config.ts";
import { useWallet } from "../wallet/useRegistryClient.ts";
import { ChainNotice, WalletBar } from "../wallet/WalletBar.tsx";
import { WalletProviders } from "../wallet/WalletProviders.tsx";
import styles from "./MyServices.module.css";
import { useOwnedServices } from "./ownedServices.ts";
import { ServiceItem } from "./ServiceItem.tsx";

/** The services whose tokens the connected wallet holds. */
export function MyServices({ connection }: { connection: RegistryConnection }) {
  return (
    <WalletProviders connection={connection}>
      <div className={styles.wallet}>
        <WalletBar />
      </div>
      <ChainNotice />
      <Owned />
    </WalletProviders>
  );
}

function Owned() {
  const { address, isOnRegistryChain, isOpening } = useWallet();
  const owned = useOwnedServices(address);
  if (isOpening) return <p className={styles.note}>Opening your wallet</p>;
  if (!address)
    return <p className={styles.note}>Connect the wallet that holds your services to see and change them.</p>;
  if (owned.isError) {
    const error = toAppRegistryError(owned.error);
    return (
      <Problem
        tone="unknown"
        title="Your services could not be read"
        why={error.shortMessage}
        action={<Button onClick={() => void owned.refetch()}>Try again</Button>}
      />
    );
  }
  if (!owned.data) return <p className={styles.note}>Asking the chain which services this wallet holds</p>;
  if (owned.data.length === 0) {
    return (
      <div className={styles.empty}>
        <p>This wallet holds no service.</p>
        <Button component={Link} href="/register">
          Register a service
        </Button>
      </div>
    );
  }
  return (
    <ul className={styles.list} aria-label="My services">
      {owned.data.map((service) => (
        <ServiceItem key={String(service.record.tokenId)} service={service} canSign={isOnRegistryChain} />
      ))}
    </ul>
  );
}
