"use client";

import { createControlCheck, getStage, nextStage, type Operation, runOperation } from "@app-registry/sdk";
import { useQuery } from "@tanstack/react-query";
import { createContext, type ReactNode, useCallback, useContext, useMemo, useRef, useState } from "react";
import type { Address } from "viem";
import { readAccountControl } from "../../control/readAccountControl.ts";
import { useOperationHost } from "../../wallet/useOperation.ts";
import { useWallet } from "../../wallet/useRegistryClient.ts";
import { canonicalDid } from "../draft/problems.ts";
import { useWizard } from "../WizardContext.tsx";
import { type ControlState, toControlState } from "./controlState.ts";
import { type PollingState, usePolling } from "./usePolling.ts";

/** A wallet's control of a DID, and the check that makes the registry know of it. */
export interface CheckedControl {
  state: ControlState;
  check: () => Promise<void>;
  /** What happens in the check that runs; undefined while none does. */
  note: string | undefined;
  /** Checks again by itself, on whichever screen, until the wallet controls the DID. */
  watch: PollingState;
  isWatching: boolean;
  setWatching: (isWatching: boolean) => void;
}

const ControlContext = createContext<CheckedControl | undefined>(undefined);

/** The connected wallet's control of the draft's DID, as every screen shares it. */
export function useDraftControl(): CheckedControl {
  const control = useContext(ControlContext);
  if (!control) throw new Error("useDraftControl needs a ControlProvider above it.");
  return control;
}

/** Milliseconds between two looks at the chain while an attested wallet does not control the DID. */
const POLL_MS = 10_000;

const ISSUER_CHECK_LABEL = "Asking the registry's issuer to check the DID…";

/** A check of one wallet and DID. It is gone on with where it stopped, so that nothing is sent twice. */
type Checked = { subject: string; operation: Operation; note?: string | undefined };

/** Keeps what is known of control over the screens of the wizard. */
export function ControlProvider({ children }: { children: ReactNode }) {
  const { draft } = useWizard();
  const { address } = useWallet();
  const control = useControl(canonicalDid(draft.did), address);
  return <ControlContext value={control}>{children}</ControlContext>;
}

/** Reads a wallet's control of a DID, and checks it when asked. Without a DID or a wallet nothing is known. */
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
        // What was found before stays in sight while it is checked again.
        const shown = note !== undefined && other?.subject === subject ? other.operation : operation;
        return { subject, operation: shown, note };
      });
    show(ISSUER_CHECK_LABEL);
    const onEvent = (_: unknown, next: Operation) => {
      operation = next;
      show(getStage(next, "control")?.note ?? ISSUER_CHECK_LABEL);
    };
    // The operation says what stopped it.
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
