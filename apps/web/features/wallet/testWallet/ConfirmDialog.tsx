"use client";

import { describeTransaction } from "@app-registry/sdk";
import { Button, Modal } from "@mantine/core";
import { useSyncExternalStore } from "react";
import { AddressText } from "../../../components/record/identifiers.tsx";
import { formatFee } from "../chain.ts";
import { useRegistryConnection } from "../useRegistryClient.ts";
import styles from "../wallet.module.css";
import type { Confirmations, PendingConfirmation } from "./confirmations.ts";

/** What a test account is about to sign, in plain words, with the choice to confirm or reject it. */
export function ConfirmDialog({ confirmations }: { confirmations: Confirmations }) {
  const { subscribe, current, answer } = confirmations;
  const pending = useSyncExternalStore(subscribe, current, () => undefined);
  return (
    <Modal.Root
      classNames={{ content: styles.content ?? "" }}
      opened={pending !== undefined}
      onClose={() => answer(false)}
      centered
      transitionProps={{ duration: 120 }}
    >
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Body className={styles.body ?? ""}>
          <Modal.Title className={styles.title ?? ""}>
            {pending?.account ?? "Wallet"} asks you to confirm
          </Modal.Title>
          {pending ? <Request pending={pending} /> : null}
          <div className={styles.buttons}>
            <Button variant="default" onClick={() => answer(false)}>
              Reject
            </Button>
            <Button data-autofocus onClick={() => answer(true)}>
              Confirm
            </Button>
          </div>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

function Request({ pending }: { pending: PendingConfirmation }) {
  const { deployment } = useRegistryConnection();
  const description = describeTransaction(pending, deployment);
  return (
    <div className={styles.request}>
      <p className={styles.sentence}>
        {description?.sentence ?? "Send a transaction to a contract that is not the registry's."}
      </p>
      {description?.details.map((detail) => (
        <p key={detail} className={styles.detail}>
          {detail}
        </p>
      ))}
      <dl className={styles.facts}>
        <dt>From</dt>
        <dd>
          <AddressText address={pending.from} copy={false} />
        </dd>
        <dt>To</dt>
        <dd>
          {description ? `${description.contract}, ` : null}
          {pending.to ? <AddressText address={pending.to} copy={false} /> : "a new contract"}
        </dd>
        <dt>Fee, at most</dt>
        <dd>
          {formatFee(pending.gas * pending.gasPrice)} ({pending.gas.toLocaleString("en")} gas)
        </dd>
      </dl>
    </div>
  );
}
