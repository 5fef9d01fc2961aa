"use client";

import { describeTransaction, formatFee } from "@app-registry/sdk";
import { Button, Group, Modal } from "@mantine/core";
import { useSyncExternalStore } from "react";
import { DefinitionLines } from "../../components/record/documents.tsx";
import { AddressText } from "../../components/record/labels.tsx";
import type { Confirmations, PendingConfirmation } from "./testWallet.ts";
import { useRegistryConnection } from "./useRegistryClient.ts";

/** Describes a test account's transaction in plain words and lets the user confirm or reject it. */
export default function ConfirmDialog({ confirmations }: { confirmations: Confirmations }) {
  const { subscribe, current, answer } = confirmations;
  const pending = useSyncExternalStore(subscribe, current, () => undefined);
  return (
    <Modal.Root
      opened={pending !== undefined}
      onClose={() => answer(false)}
      centered
      transitionProps={{ duration: 120 }}
    >
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Body className="stack2" p="lg">
          <Modal.Title className="minor strong">
            {pending?.account ?? "Wallet"} asks you to confirm
          </Modal.Title>
          {pending ? <Request pending={pending} /> : null}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={() => answer(false)}>
              Reject
            </Button>
            <Button data-autofocus onClick={() => answer(true)}>
              Confirm
            </Button>
          </Group>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

function Request({ pending }: { pending: PendingConfirmation }) {
  const { deployment } = useRegistryConnection();
  const description = describeTransaction(pending, deployment);
  return (
    <div className="stack">
      <p className="subtitle anywhere">
        {description?.sentence ?? "This transaction goes to a contract that is not part of this registry."}
      </p>
      {description?.details.map((detail) => (
        <p key={detail} className="soft anywhere">
          {detail}
        </p>
      ))}
      <DefinitionLines
        lines={[
          { term: "From", value: <AddressText address={pending.from} copy={false} /> },
          {
            term: "To",
            value: (
              <>
                {description ? `${description.contract}, ` : null}
                {pending.to ? <AddressText address={pending.to} copy={false} /> : "a new contract"}
              </>
            ),
          },
          {
            term: "Maximum fee",
            value: `${formatFee(pending.gas * pending.maxFeePerGas)} (${pending.gas.toLocaleString("en")} gas)`,
          },
        ]}
      />
    </div>
  );
}
