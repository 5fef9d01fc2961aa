"use client";

import { createContext, lazy, type ReactNode, Suspense, useContext, useEffect, useState } from "react";
import type { Confirmations } from "./testWallet.ts";

// Each is loaded when a person first needs it.
const ConnectDialog = lazy(() => import("./ConnectDialog.tsx"));
const ConfirmDialog = lazy(() => import("./ConfirmDialog.tsx"));

const OpenContext = createContext<() => void>(() => undefined);

/** Opens the dialog in which a person chooses a wallet. */
export const useConnectDialog = (): (() => void) => useContext(OpenContext);

/** Gives the parts of a page the dialogs of a wallet: to choose one, and to confirm what a test account signs. */
export function WalletDialogs({
  confirmations,
  children,
}: {
  confirmations: Confirmations;
  children: ReactNode;
}) {
  const [connecting, setConnecting] = useState<boolean>();
  const [confirms, setConfirms] = useState(false);
  useEffect(() => confirmations.subscribe(() => setConfirms(true)), [confirmations]);
  return (
    <OpenContext value={() => setConnecting(true)}>
      {children}
      <Suspense>
        {connecting === undefined ? null : (
          <ConnectDialog opened={connecting} onClose={() => setConnecting(false)} />
        )}
      </Suspense>
      <Suspense>{confirms ? <ConfirmDialog confirmations={confirmations} /> : null}</Suspense>
    </OpenContext>
  );
}
