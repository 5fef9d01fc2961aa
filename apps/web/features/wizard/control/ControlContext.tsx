"use client";

import { createControlCheck, getStage, nextStage, type Operation, runOperation } from "@app-registry/sdk";
import { useQuery } from "@tanstack/react-query";
import { createContext, type ReactNode, useCallback, useContext, useMemo, useRef, useState } from "react";
import type { Address } from "viem";
import { readAccountControl } from "../../../lib/control/readAccountControl.ts";
import { useOperationHost } from "../../wallet/useOperation.ts";
import { useWallet } from "../../wallet/useRegistryClient.ts";
import { canonicalDid } from "../draft/problems.ts";
import { useWizard } from "../WizardContext.tsx";
import { type ControlState, toControlState } from "./controlState.ts";
import { type PollingState, usePolling } from "./usePolling.ts";

/** Wallet's control of a DID, and the function that requests a check. */
export interface CheckedControl {
  state: ControlState;
  check: () => Promise<void>;
  /** Progress of the running check, or undefined if none is running. */
  note: string | undefined;
  /** Repeats the check automatically on every screen until the wallet controls the DID. */
  watch: PollingState;
  isWatching: boolean;
  setWatching: (isWatching: boolean) => void;
}

const ControlContext = createContext<CheckedControl | undefined>(undefined);

/** Returns the connected wallet's control of the draft's DID, shared by all screens. */
export function useDraftControl(): CheckedControl {
  const control = useContext(ControlContext);
  if (!control) throw new Error("useDraftControl needs a ControlProvider above it.");
  return control;
}

/** Time between chain reads while an attested wallet does not control the DID yet, in milliseconds. */
const POLL_MS = 10_000;

const ISSUER_CHECK_LABEL = "Asking the registry's issuer to check the DID…";

/** Check of one wallet and DID. A stopped check is resumed, so that nothing is sent twice. */
type Checked = { subject: string; operation: Operation; note?: string | undefined };

/** Shares the state of the control check between the wizard's screens. */
export function ControlProvider({ children }: { children: ReactNode }) {
  const { draft } = useWizard();
  const { address } = useWallet();
  const control = useControl(canonicalDid(draft.did), address);
  return <ControlContext value={control}>{children}</ControlContext>;
}

/** Reads a wallet's control of a DID and checks it on request. Without a DID or a wallet the state stays unread. */
export function useControl(did: string | undefined, address: Address | undefined): CheckedControl {
  const host = useOperationHost();
  const subject = did === undefined || address === undefined ? undefined : `${did} ${address}`;
  const { client } = host;
  const { data, refetch } = useQuery({
    queryKey: ["controller", client.deployment.chainId, did, address],
    queryFn: () => readAccountControl(client, { did: did ?? "", account: address as Address }),
    enabled: subject !== undefined,
    refetchInterval: ({ state }) =>
      state.data?.controller.attested && !state.data.controller.controls ? POLL_MS : false,
  });
  const [checked, setChecked] = useState<Checked>();
  const [watched, setWatched] = useState<string>();
  const running = useRef(new Set<string>());
  const own = checked?.subject === subject ? checked : undefined;
  const stopped = own && nextStage(own.operation) !== undefined ? own.operation : undefined;

  const check = useCallback(async () => {
    if (did === undefined || address === undefined || subject === undefined) return;
    if (running.current.has(subject)) return;
    running.current.add(subject);
    let operation = stopped ?? createControlCheck(did, address);
    const show = (note?: string) =>
      setChecked((other) => {
        // Show the previous result while a new check is running.
        const shown = note !== undefined && other?.subject === subject ? other.operation : operation;
        return { subject, operation: shown, note };
      });
    show(ISSUER_CHECK_LABEL);
    const onEvent = (_: unknown, next: Operation) => {
      operation = next;
      show(getStage(next, "control")?.note ?? ISSUER_CHECK_LABEL);
    };
    // The operation itself contains the problem.
    await runOperation(operation, { ...host, onEvent }).catch(() => undefined);
    await refetch();
    running.current.delete(subject);
    show();
  }, [did, address, subject, stopped, host, refetch]);

  const problem = own?.operation.problem;
  const state = useMemo(() => toControlState(data, problem), [data, problem]);
  const isWatching = watched === subject && subject !== undefined && state.kind === "failed";
  const watch = usePolling(check, isWatching);
  return useMemo<CheckedControl>(
    () => ({
      state,
      check,
      note: own?.note,
      watch,
      isWatching,
      setWatching: (on) => setWatched(on ? subject : undefined),
    }),
    [state, check, own?.note, watch, isWatching, subject],
  );
}
