"use client";

import { type Operation, runOperation, startControlCheck } from "@app-registry/sdk";
import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Address } from "viem";
import { StatusMark } from "../../../components/record/facts.tsx";
import { useAccountControl } from "../../control/ControllerActions.tsx";
import { WaitList } from "../../control/WaitList.tsx";
import { useOperationHost } from "../../wallet/useOperation.ts";
import { OperationProblemView } from "../submission/OperationSteps.tsx";

/** Whether a wallet controls a DID as far as the registry knows, and the check that makes it know. */
export function ControlCheck({ did, account }: { did: string; account: Address }) {
  const host = useOperationHost();
  const control = useAccountControl(did, account);
  const [operation, setOperation] = useState<Operation | undefined>();
  const check = useMutation({
    mutationKey: [did, account],
    mutationFn: () => {
      const isSame = operation?.did === did && operation.account === account;
      const begun = isSame ? operation : startControlCheck(did, account);
      return runOperation(begun, { ...host, onEvent: (_, next) => setOperation(next) });
    },
    onSettled: () => control.refetch(),
  });
  const counts = control.data?.controller.counts === true;
  const note = operation?.stages[0]?.note ?? "Asking the registry's issuer to look at the DID";
  return (
    <div className="stack" style={{ justifyItems: "start" }}>
      <p className="bar" role="status">
        {check.isPending ? (
          note
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
      {check.isError && operation?.problem && !counts ? (
        <OperationProblemView problem={operation.problem} />
      ) : null}
    </div>
  );
}
