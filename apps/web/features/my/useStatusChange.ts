"use client";

import { toAppRegistryError } from "@app-registry/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useSigner } from "../wallet/useRegistryClient.ts";

/** 0 Active, 1 Deprecated, 2 Replaced. */
export type Status = 0 | 1 | 2;

/** Changes the status of a record, and says what is happening. */
export function useStatusChange({ did, major }: { did: string; major: number }) {
  const openSigner = useSigner();
  const queries = useQueryClient();
  const [step, setStep] = useState<string | undefined>();
  const change = useMutation({
    mutationFn: async (status: Status) => {
      setStep("Waiting for you to confirm it in your wallet");
      const client = await openSigner();
      const hash = await client.updateStatus({ did, major, status });
      setStep("Sent; waiting for a block that holds it");
      await client.waitForReceipt({ hash });
    },
    onSettled: async () => {
      setStep(undefined);
      await queries.invalidateQueries({ queryKey: ["owned"] });
    },
  });
  return {
    change: change.mutate,
    isChanging: change.isPending,
    /** What is happening now. */
    step,
    error: change.error ? toAppRegistryError(change.error) : undefined,
  };
}
