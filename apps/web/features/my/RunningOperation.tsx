"use client";

import { appStatusLabels, describeTransaction, getStage, isSent, type Operation } from "@app-registry/sdk";
import { Button } from "@mantine/core";
import { useEffect, useRef } from "react";
import { HashText } from "../../components/record/identifiers.tsx";
import type { useOperation } from "../wallet/useOperation.ts";
import { useRegistryConnection } from "../wallet/useRegistryClient.ts";
import { OperationProblemView, OperationSteps } from "../wizard/submission/OperationSteps.tsx";

interface RunningOperationProps {
  state: ReturnType<typeof useOperation>;
  operation: Operation;
  /** Focuses the heading whenever this changes, unless it is undefined. */
  pressed: object | undefined;
}

/** Shows a change: its consequence, stages and problem. Stays until the user closes it. */
export function RunningOperation({ state, operation, pressed }: RunningOperationProps) {
  const { deployment } = useRegistryConnection();
  const heading = useRef<HTMLHeadingElement>(null);
  const { isDone, isRunning, run, discard } = state;
  const { problem, transactionHash } = operation;
  useEffect(() => {
    if (pressed !== undefined) heading.current?.focus();
  }, [pressed]);
  const { sentence, details } = describeOperation(operation, deployment);
  const opensWallet = getStage(operation, "sign")?.state === "todo" && !isRunning;
  return (
    <section className="stack2" aria-label="Your change" style={{ paddingBlock: "var(--space-1)" }}>
      <h2 className="subtitle anywhere" ref={heading} tabIndex={-1}>
        {sentence}
      </h2>
      {isSent(operation) ? null : (
        <p className="soft anywhere">
          {details.join(" ")} {opensWallet ? "Your wallet opens when you continue." : ""}
        </p>
      )}
      <OperationSteps operation={operation} />
      {transactionHash === undefined ? null : (
        <p>
          Transaction <HashText hash={transactionHash} label="transaction hash" />
        </p>
      )}
      {problem === undefined ? null : <OperationProblemView problem={problem} />}
      {isRunning ? null : (
        <div className="bar">
          {isDone ? null : (
            <Button
              onClick={() => {
                // This button disappears, and the browser would move the focus to the page's beginning.
                heading.current?.focus();
                void run();
              }}
            >
              {problem === undefined ? "Continue" : "Try again"}
            </Button>
          )}
          <Button variant="default" onClick={discard}>
            {isDone ? "Close" : isSent(operation) ? "Hide" : "Discard"}
          </Button>
        </div>
      )}
    </section>
  );
}

function describeOperation(
  { did, request, transaction }: Operation,
  deployment: Parameters<typeof describeTransaction>[1],
): { sentence: string; details: string[] } {
  if (request !== undefined) {
    const status =
      request.status === undefined ? "" : `, then mark the record as ${appStatusLabels[request.status]}`;
    return { sentence: `Publish version ${request.version} of ${did}${status}`, details: [] };
  }
  if (transaction === undefined) {
    const check = "The issuer checks again that this wallet controls the DID, and extends its attestation.";
    return { sentence: `Renew your attestation for ${did}`, details: [check] };
  }
  return describeTransaction(transaction, deployment) ?? { sentence: `Change ${did}`, details: [] };
}
