"use client";

import { useWallet } from "../wallet/useRegistryClient.ts";
import { orderOf } from "./submission/order.ts";
import type { Order } from "./submission/submission.ts";
import { useWizard } from "./WizardContext.tsx";

/** What the draft publishes with the connected wallet; undefined while something is missing for it. */
export function useOrder(): Order | undefined {
  const { draft, problems, registered, publicUrl } = useWizard();
  const { address } = useWallet();
  if (problems.length > 0 || registered === undefined || !address) return undefined;
  return orderOf(draft, { account: address, registered, publicUrl });
}
