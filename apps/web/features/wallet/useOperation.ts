"use client";

import {
  createAppRegistryClient,
  isSent,
  nextStage,
  type Operation,
  type OperationContext,
  parseOperation,
  runOperation,
} from "@app-registry/sdk";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useConfig } from "wagmi";
import { getConnectorClient } from "wagmi/actions";
import { useRegistryClient } from "./useRegistryClient.ts";

/** Returns the chain client, the connected wallet and the issuer's URL for running operations. */
export function useOperationHost(): OperationContext {
  const client = useRegistryClient();
  const config = useConfig();
  return useMemo(() => {
    const { deployment, publicClient } = client;
    const openSigner = async () => {
      // The wallet may have changed since rendering, so read it now.
      const walletClient = await getConnectorClient(config);
      return createAppRegistryClient({ deployment, publicClient, walletClient });
    };
    return { client, openSigner, baseUrl: globalThis.location?.origin };
  }, [client, config]);
}

/**
 * Saves an operation. Ignores a browser that refuses storage: the operation then runs as long as the page stays open.
 */
function persistOperation(storageKey: string, operation: Operation): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify(operation));
  } catch {}
}

/**
 * Manages the operation that runs from this page. It is stored under `storageKey`, so that a reload shows it again.
 * Once its transaction is sent it resumes automatically; before that it waits for the user.
 */
export function useOperation(storageKey: string) {
  const host = useOperationHost();
  const [operation, setOperation] = useState<Operation | undefined>(() =>
    parseOperation(localStorage.getItem(storageKey)),
  );
  const [isRunning, setRunning] = useState(false);
  const latest = useRef({ operation, isRunning: false });

  const show = useCallback(
    (next: Operation) => {
      latest.current.operation = next;
      setOperation(next);
      persistOperation(storageKey, next);
    },
    [storageKey],
  );

  const run = useCallback(async () => {
    const { operation: begun, isRunning: runs } = latest.current;
    if (!begun || runs) return;
    latest.current.isRunning = true;
    setRunning(true);
    // The operation itself contains the problem.
    await runOperation(begun, { ...host, onEvent: (_, next) => show(next) }).catch(() => undefined);
    latest.current.isRunning = false;
    setRunning(false);
  }, [host, show]);

  /** Runs an operation from its beginning. */
  const start = useCallback(
    (begun: Operation) => {
      show(begun);
      void run();
    },
    [show, run],
  );

  /** Deletes the stored operation. The page keeps showing it. */
  const forget = useCallback(() => localStorage.removeItem(storageKey), [storageKey]);

  const discard = useCallback(() => {
    forget();
    latest.current.operation = undefined;
    setOperation(undefined);
  }, [forget]);

  useEffect(() => {
    const { operation: kept } = latest.current;
    if (kept && isSent(kept) && nextStage(kept) !== undefined) void run();
  }, [run]);

  const isDone = operation !== undefined && nextStage(operation) === undefined;
  return { operation, isRunning, isDone, show, start, run, forget, discard };
}
