"use client";

import { useEffect } from "react";
import { type Address, isAddressEqual } from "viem";
import { AddressText } from "../../../components/record/identifiers.tsx";
import { StatusMark } from "../../../components/record/StatusMark.tsx";
import { controlWaits } from "../../../lib/control/controlWaits.ts";
import { useAccountControl } from "../../control/BlockNotice.tsx";
import { WaitList } from "../../control/WaitList.tsx";
import { useWallet } from "../../wallet/useRegistryClient.ts";
import styles from "./submission.module.css";

interface ControlWaitProps {
  did: string;
  /** Wallet that waits for control. */
  account: Address;
  /** Called once the wallet is connected and either controls the DID or has no more waits. */
  onOver: (reason: "controls" | "attestable") => void;
}

/** Shows why a wallet does not control a DID yet and for how long. Reads the chain until the wallet does. */
export function ControlWait({ did, account, onOver }: ControlWaitProps) {
  const { address: connected } = useWallet();
  const { data: control, isError } = useAccountControl(did, account, { watch: true });
  const isOwn = connected !== undefined && isAddressEqual(connected, account);
  const controls = control?.controller.controls === true;
  const isOver = control !== undefined && controlWaits(control).length === 0;
  useEffect(() => {
    if (isOver && isOwn) onOver(controls ? "controls" : "attestable");
  }, [isOver, isOwn, controls, onOver]);
  return (
    <section className={`stack2 ${styles.wait}`} aria-label="Why your wallet has to wait">
      <p className="row">
        <span style={{ color: "var(--ink-3)" }}>Wallet</span> <AddressText address={account} />
      </p>
      {controls ? (
        <p role="status">
          <StatusMark outcome="pass" /> This wallet now controls the DID.{" "}
          {isOwn ? "Continuing…" : "Connect this wallet to continue."}
        </p>
      ) : control === undefined ? (
        <p>{isError ? "Couldn't reach the chain. Retrying…" : "Checking why your wallet has to wait…"}</p>
      ) : (
        <>
          <WaitList control={control} />
          <p>
            Publishing continues automatically when the wait ends. You can close this page and come back: this
            browser keeps your draft.
          </p>
        </>
      )}
    </section>
  );
}
