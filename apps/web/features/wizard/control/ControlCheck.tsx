"use client";

import { messageSigner, toAppRegistryError } from "@app-registry/sdk";
import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { Address, Hex } from "viem";
import { StatusMark } from "../../../components/record/facts.tsx";
import { useAccountControl } from "../../control/ControllerActions.tsx";
import { WaitList } from "../../control/WaitList.tsx";
import { useRegistryClient, useSigner } from "../../wallet/useRegistryClient.ts";
import { askIssuer } from "../submission/askIssuer.ts";
import { attest, signingNote } from "../submission/attest.ts";
import { controlProblem, isWait } from "../submission/controlProblem.ts";
import { SubmissionProblemView } from "../submission/SubmissionProblemView.tsx";
import styles from "../wizard.module.css";

/** Whether a wallet controls a DID as far as the registry knows, and the check that makes it know. */
export function ControlCheck({ did, account }: { did: string; account: Address }) {
  const client = useRegistryClient();
  const openSigner = useSigner();
  const control = useAccountControl(did, account);
  const sent = useRef<Hex | undefined>(undefined);
  const [note, setNote] = useState<string | undefined>();
  const check = useMutation({
    mutationKey: [did, account],
    mutationFn: () => {
      const signMessage = messageSigner(() => {
        setNote(signingNote(did));
        return openSigner();
      }, account);
      const request = { did, connectedAddress: account, requiredSchemas: ["did-ownership"] as const };
      return askIssuer(() => attest({ ...request, signMessage }), {
        client,
        account,
        openSigner,
        sent: sent.current,
        onSent: (hash) => {
          sent.current = hash;
        },
        onNote: setNote,
      });
    },
    onMutate: () => setNote(undefined),
    onSettled: () => control.refetch(),
  });
  const failure = check.isError ? toAppRegistryError(check.error) : undefined;
  const counts = control.data?.controller.counts === true;
  const refused = check.data !== undefined && !check.data.ok && !isWait(check.data) && !counts;
  return (
    <div className={styles.control}>
      <p className="bar" role="status">
        {check.isPending ? (
          (note ?? "Asking the registry's issuer to look at the DID")
        ) : counts ? (
          <>
            <StatusMark outcome="pass" /> Your wallet controls this DID.
          </>
        ) : control.data?.controller.attested ? (
          "Your wallet is attested, and does not count yet."
        ) : control.isPending ? (
          "Asking the chain"
        ) : (
          "Not checked yet."
        )}
      </p>
      {control.data ? <WaitList control={control.data} /> : null}
      {counts ? null : (
        <Button variant="default" size="compact-sm" loading={check.isPending} onClick={() => check.mutate()}>
          Check control now
        </Button>
      )}
      {refused && check.data ? <SubmissionProblemView problem={controlProblem(check.data)} /> : null}
      {failure ? (
        <SubmissionProblemView
          problem={{
            title: failure.shortMessage,
            action: failure.action ?? "Check your connection and try again.",
          }}
        />
      ) : null}
    </div>
  );
}
