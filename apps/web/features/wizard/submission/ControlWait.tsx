"use client";

import { useEffect } from "react";
import { type Address, isAddressEqual } from "viem";
import { CopyBlock } from "../../../components/record/documents.tsx";
import { StatusMark } from "../../../components/record/facts.tsx";
import { AddressText } from "../../../components/record/identifiers.tsx";
import { ControllerActions, useAccountControl } from "../../control/ControllerActions.tsx";
import { controlWaits } from "../../control/controlWaits.ts";
import { controlHref } from "../../control/readAccountControl.ts";
import { WaitText } from "../../control/WaitText.tsx";
import { useRegistryConnection, useWallet } from "../../wallet/useRegistryClient.ts";
import styles from "./submission.module.css";

interface ControlWaitProps {
  did: string;
  /** The wallet that waits. */
  account: Address;
  /** The wallet is connected, and counts now or has nothing more to wait for. */
  onOver: (reason: "counts" | "attestable") => void;
}

/** Why a wallet does not count yet, until when, and who can end the wait. It asks the chain until the wallet counts. */
export function ControlWait({ did, account, onOver }: ControlWaitProps) {
  const { publicUrl } = useRegistryConnection();
  const { address: connected } = useWallet();
  const { data: control, isError } = useAccountControl(did, account, { watch: true });
  const isOwn = connected !== undefined && isAddressEqual(connected, account);
  const counts = control?.controller.counts === true;
  const isOver = control !== undefined && controlWaits(control).length === 0;
  useEffect(() => {
    if (isOver && isOwn) onOver(counts ? "counts" : "attestable");
  }, [isOver, isOwn, counts, onOver]);
  return (
    <section className={`stack2 ${styles.wait}`} aria-label="Why your wallet has to wait">
      <p className="row">
        <span style={{ color: "var(--ink-3)" }}>Wallet</span> <AddressText address={account} />
      </p>
      {counts ? (
        <p role="status">
          <StatusMark outcome="pass" /> This wallet now controls the DID.{" "}
          {isOwn ? "Continuing…" : "Connect it to continue."}
        </p>
      ) : control === undefined ? (
        <p>{isError ? "Couldn't reach the chain. Retrying…" : "Checking why your wallet has to wait…"}</p>
      ) : (
        <>
          <WaitText did={did} control={control} />
          <p>
            Publishing continues automatically when the wait ends. You can close this page and come back: this
            browser keeps your draft.
          </p>
          {control.controller.attested ? (
            <Vouching did={did} account={account} origin={publicUrl} isOwn={isOwn} />
          ) : null}
          <ControllerActions did={did} control={control} onlyHelp />
        </>
      )}
    </section>
  );
}

interface VouchingProps {
  did: string;
  account: Address;
  /** Of this registry's web app. */
  origin: string;
  isOwn: boolean;
}

/** How somebody who controls the DID already can end the wait. */
function Vouching({ did, account, origin, isOwn }: VouchingProps) {
  return (
    <details className="part" open={isOwn}>
      <summary>Skip the wait: ask a controller to vouch</summary>
      <div className="stack">
        <p>
          A current controller of this DID can vouch for your wallet. Your wallet then controls the DID
          immediately. If you own that controller's wallet, connect it here. Otherwise send its owner this
          link or command.
        </p>
        <CopyBlock text={`${origin}${controlHref(did, account)}`} caption="Link" />
        <CopyBlock text={`app-registry vouch ${did} ${account}`} caption="Command" />
      </div>
    </details>
  );
}
