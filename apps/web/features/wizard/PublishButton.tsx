"use client";

import { formatVersion } from "@app-registry/sdk";
import { Button } from "@mantine/core";
import { useConnectModal } from "@rainbow-me/rainbowkit";
import { useWallet } from "../wallet/useRegistryClient.ts";
import type { Order } from "./submission/submission.ts";
import { useOrder } from "./useOrder.ts";

/** Publishes the draft; before that it asks for the wallet that is needed for it. */
export function PublishButton({ onPublish }: { onPublish: (order: Order) => void }) {
  const { isConnected, isOnRegistryChain } = useWallet();
  const { openConnectModal } = useConnectModal();
  const order = useOrder();
  if (!isConnected) return <Button onClick={() => openConnectModal?.()}>Connect a wallet to publish</Button>;
  const title =
    order?.kind === "update" ? `Publish version ${formatVersion(order.version)}` : "Publish the record";
  return (
    <Button disabled={!order || !isOnRegistryChain} onClick={() => order && onPublish(order)}>
      {title}
    </Button>
  );
}
