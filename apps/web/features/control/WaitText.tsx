"use client";

import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Address } from "viem";
import { CopyButton } from "../../components/record/CopyButton.tsx";
import { shortHex } from "../../components/record/labels.tsx";
import { useRegistryClient, useRegistryConnection } from "../wallet/useRegistryClient.ts";
import { controlWaits } from "./controlWaits.ts";
import { type AccountControl, controlHref } from "./readAccountControl.ts";
import { LocalTime, WaitList } from "./WaitList.tsx";

interface WaitTextProps {
  did: string;
  control: AccountControl;
}

/** Why an account does not count yet. A newcomer's wait is one sentence: until when, and who can end it. */
export function WaitText({ did, control }: WaitTextProps) {
  const [wait, ...others] = controlWaits(control);
  if (wait?.kind !== "settling" || others.length > 0) return <WaitList control={control} />;
  return <NewcomerWait did={did} control={control} until={wait.until} />;
}

/** Milliseconds between two steps of the countdown, which names minutes. */
const TICK = 15_000;

function NewcomerWait({ did, control, until }: WaitTextProps & { until: number }) {
  const { publicUrl } = useRegistryConnection();
  const voucher = useCountingController(did, control.account);
  const now = useChainTime(control.now);
  const href = `${controlHref(did, control.account)}#vouch`;
  return (
    <p>
      Another account was attested for this DID before, so this wallet's control takes effect on{" "}
      <LocalTime seconds={until} now={now} />, or immediately if{" "}
      {voucher === undefined ? (
        "a current controller"
      ) : (
        <code title={voucher} translate="no">
          {shortHex(voucher)}
        </code>
      )}{" "}
      vouches for it on <a href={href}>this page</a>{" "}
      <CopyButton text={publicUrl + href} label="Copy vouch link" />.
    </p>
  );
}

/** The chain's time now, from its time when it was read; Unix seconds. */
function useChainTime(read: number): number {
  const [now, setNow] = useState(read);
  useEffect(() => {
    const start = Date.now();
    setNow(read);
    const timer = setInterval(() => setNow(read + Math.floor((Date.now() - start) / 1_000)), TICK);
    return () => clearInterval(timer);
  }, [read]);
  return now;
}

/** The most accounts that the chain is asked about. */
const MAX_ASKED = 8;

/** An account that counts as a controller of a DID, and could vouch for another; undefined while none is known. */
function useCountingController(did: string, account: Address): Address | undefined {
  const client = useRegistryClient();
  return (
    useQuery({
      queryKey: ["voucher", client.deployment.chainId, did, account],
      queryFn: async () => {
        const response = await fetch(`/api/accounts/${account}`);
        if (!response.ok) return null;
        const { controllers } = (await response.json()) as {
          controllers: { did: string; account: Address }[];
        };
        const asked = controllers.filter((one) => one.did === did).slice(0, MAX_ASKED);
        const counts = await Promise.all(
          asked.map(({ account: controller }) => client.checkDid({ did, controller })),
        );
        return asked.find((_, index) => counts[index])?.account ?? null;
      },
      retry: false,
      staleTime: 30_000,
    }).data ?? undefined
  );
}
