"use client";

import { appStatusLabels, describeTransaction, isSent, type Operation } from "@app-registry/sdk";
import { Button } from "@mantine/core";
import { HashText } from "../../components/record/identifiers.tsx";
import type { useOperation } from "../wallet/useOperation.ts";
import { useRegistryConnection } from "../wallet/useRegistryClient.ts";
import { OperationProblemView, OperationSteps } from "../wizard/submission/OperationSteps.tsx";

interface RunningOperationProps {
  state: ReturnType<typeof useOperation>;
  operation: Operation;
}

/** Shows a running change: its description, stages and problem. Stays until the user closes it. */
export function RunningOperation({ state, operation }: RunningOperationProps) {
  const { deployment } = useRegistryConnection();
  const { isDone, isRunning, run, discard } = state;
  const { problem, transactionHash } = operation;
  return (
    <section className="stack2 headed" aria-label="Your change" style={{ paddingBlock: "var(--space-2)" }}>
      <h2 className="subtitle anywhere">{formatSentence(operation, deployment)}</h2>
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
            <Button onClick={() => void run()}>{problem === undefined ? "Continue" : "Try again"}</Button>
          )}
          <Button variant="default" onClick={discard}>
            {isDone ? "Close" : isSent(operation) ? "Hide" : "Discard"}
          </Button>
        </div>
      )}
    </section>
  );
}

function formatSentence(
  { did, request, transaction }: Operation,
  deployment: Parameters<typeof describeTransaction>[1],
) {
  if (request !== undefined) {
    const status =
      request.status === undefined ? "" : `, then mark the record as ${appStatusLabels[request.status]}`;
    return `Publish version ${request.version} of ${did}${status}`;
  }
  if (transaction === undefined) return `Renew your attestation for ${did}`;
  return describeTransaction(transaction, deployment)?.sentence ?? `Change ${did}`;
}
