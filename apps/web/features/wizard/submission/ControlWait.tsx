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
    <section className={`stack2 ${styles.wait}`} aria-label="Why the wallet waits">
      <p className="row">
        <span style={{ color: "var(--ink-3)" }}>Wallet</span> <AddressText address={account} />
      </p>
      {counts ? (
        <p role="status">
          <StatusMark outcome="pass" /> The wallet counts now. {isOwn ? "Going on." : "Connect it to go on."}
        </p>
      ) : control === undefined ? (
        <p>{isError ? "The chain does not answer. It is asked again." : "Asking the chain why it waits"}</p>
      ) : (
        <>
          <WaitText did={did} control={control} />
          <p>
            This page goes on by itself then. You can close it and come back: what you publish is kept in this
            browser.
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
      <summary>Have a controller vouch for it</summary>
      <div className="stack">
        <p>
          A wallet that counts as a controller of this DID can vouch for yours, which then counts immediately.
          If it is yours too, connect it here. Otherwise send its holder this link, or this command.
        </p>
        <CopyBlock text={`${origin}${controlHref(did, account)}`} caption="Link" />
        <CopyBlock text={`app-registry vouch ${did} ${account}`} caption="Command" />
      </div>
    </details>
  );
}
