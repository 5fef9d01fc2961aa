import { createControlCheck, getStage, nextStage, type Operation, runOperation } from "@app-registry/sdk";
import { useDocumentVisibility } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import type { Address } from "viem";
import { readAccountControl } from "../../../lib/control/accountControl.ts";
import { useOperationHost } from "../../wallet/useOperation.ts";
import { getPollingDelay, toControlState, WATCH_TIME } from "./controlState.ts";

/** Time between chain reads while an attested wallet does not control the DID yet, in milliseconds. */
const POLL_MS = 10_000;

const ISSUER_CHECK_LABEL = "Asking the registry's issuer to check the DID…";

/** Check of one wallet and DID. A stopped check is resumed, so that nothing is sent twice. */
type Checked = { subject: string; operation: Operation; note?: string | undefined };

/** Reads a wallet's control of a DID and checks it on request. Without a DID or a wallet the state stays unread. */
export function useControl(did: string | undefined, address: Address | undefined) {
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

  const check = async () => {
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
  };

  const state = toControlState(data, own?.operation.problem);
  const isWatching = watched === subject && subject !== undefined && state.kind === "failed";
  return {
    state,
    check,
    /** Progress of the running check, or undefined if none is running. */
    note: own?.note,
    /** Repeats the check automatically on every screen until the wallet controls the DID. */
    watch: usePolling(check, isWatching),
    isWatching,
    setWatching: (on: boolean) => setWatched(on ? subject : undefined),
  };
}

/** Wallet's control of a DID, and the function that requests a check. */
export type CheckedControl = ReturnType<typeof useControl>;

/** State of a poll. `at`: time of the next check, in Unix milliseconds. */
export type PollingState = "off" | "looking" | "over" | { at: number };

/** Repeats a check with growing delays while `isOn` is true and the page is visible. */
function usePolling(look: () => Promise<unknown>, isOn: boolean): PollingState {
  const [watch, setWatch] = useState<PollingState>("off");
  const isVisible = useDocumentVisibility() === "visible";
  const latest = useRef({ look, looks: 0, endsAt: 0 });
  latest.current.look = look;
  const plan = useCallback((): PollingState => {
    const at = Date.now() + getPollingDelay(latest.current.looks++);
    return at > latest.current.endsAt ? "over" : { at };
  }, []);
  useEffect(() => {
    Object.assign(latest.current, { looks: 0, endsAt: Date.now() + WATCH_TIME });
    setWatch(isOn ? plan() : "off");
  }, [isOn, plan]);
  const dueAt = typeof watch === "object" && isVisible ? watch.at : undefined;
  useEffect(() => {
    if (dueAt === undefined) return;
    const run = async () => {
      setWatch("looking");
      await latest.current.look().catch(() => undefined);
      const next = plan();
      setWatch((now) => (now === "looking" ? next : now));
    };
    const timer = setTimeout(() => void run(), Math.max(0, dueAt - Date.now()));
    return () => clearTimeout(timer);
  }, [dueAt, plan]);
  return watch;
}
