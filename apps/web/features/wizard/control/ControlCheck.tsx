"use client";

import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import type { Address } from "viem";
import { StatusMark } from "../../../components/record/StatusMark.tsx";
import { attest } from "../submission/attest.ts";
import { controlProblem } from "../submission/controlProblem.ts";
import { SubmissionProblemView } from "../submission/SubmissionProblemView.tsx";
import styles from "./ControlCheck.module.css";
import { useControl } from "./useControl.ts";

/** Whether a wallet controls a DID as far as the registry knows, and the check that makes it know. */
export function ControlCheck({ did, account }: { did: string; account: Address }) {
  const control = useControl(did, account);
  const check = useMutation({
    mutationKey: [did, account],
    mutationFn: () => attest({ did, connectedAddress: account, requiredSchemas: ["did-ownership"] }),
    onSettled: () => control.refetch(),
  });
  const counts = control.data?.counts === true;
  const waiting = control.data?.waiting === true;
  const refused = check.data !== undefined && !check.data.ok && check.data.status !== "waiting" && !counts;
  return (
    <div className={styles.control}>
      <p className={styles.line} role="status">
        {check.isPending ? (
          "Asking the registry's issuer to look at the DID"
        ) : counts ? (
          <>
            <StatusMark outcome="pass" /> Your wallet controls this DID.
          </>
        ) : waiting ? (
          <>
            <StatusMark outcome="unknown" /> Your wallet is attested, and waits as a newcomer
            {control.data?.countsFrom
              ? ` until ${new Date(control.data.countsFrom * 1_000).toLocaleString("en")}`
              : ""}
            .
          </>
        ) : control.isPending ? (
          "Asking the chain"
        ) : (
          "Not checked yet."
        )}
      </p>
      {counts ? null : (
        <Button variant="default" size="compact-sm" loading={check.isPending} onClick={() => check.mutate()}>
          Check control now
        </Button>
      )}
      {refused && check.data ? <SubmissionProblemView problem={controlProblem(check.data)} /> : null}
      {check.isError ? (
        <SubmissionProblemView
          problem={{
            title: "The registry did not answer",
            action: "Check your connection and try again.",
            detail: check.error.message,
          }}
        />
      ) : null}
    </div>
  );
}
