"use client";

import { appPath, getStage, isSent, type Operation } from "@app-registry/sdk";
import { Button } from "@mantine/core";
import { useCallback, useRef } from "react";
import { DidText, HashText } from "../../../components/record/identifiers.tsx";
import type { useOperation } from "../../wallet/useOperation.ts";
import { useWizard } from "../WizardContext.tsx";
import { ControlWait } from "./ControlWait.tsx";
import { OperationProblemView, OperationSteps } from "./OperationSteps.tsx";

interface PublishingProps {
  state: ReturnType<typeof useOperation>;
  operation: Operation;
  /** Returns to the form. */
  onEdit: () => void;
}

/** Shows a running publication: its progress, its problem, and a link to the service. */
export function Publishing({ state, operation, onEdit }: PublishingProps) {
  const { isDone, run } = state;
  const { account, did, problem, request, transactionHash } = operation;
  const path = appPath(did);
  const isWaiting = getStage(operation, "control")?.state === "waiting";
  const published = getStage(operation, "receipt")?.state === "done";

  // Continue once per reason: an issuer that sees the chain one block late must not be called in a loop.
  const wentOn = useRef<string | undefined>(undefined);
  const goOn = useCallback(
    (reason: string) => {
      if (wentOn.current === reason) return;
      wentOn.current = reason;
      void run();
    },
    [run],
  );

  return (
    <section className="stack3" aria-labelledby="step-title">
      <header>
        <h2 id="step-title" tabIndex={-1}>
          {published ? "Published" : "Publishing"} version {request?.version}
        </h2>
        <DidText did={did} />
      </header>
      <OperationSteps operation={operation} />
      {transactionHash === undefined ? null : (
        <p>
          Transaction <HashText hash={transactionHash} label="transaction hash" />
        </p>
      )}
      {isWaiting ? <ControlWait did={did} account={account} onOver={goOn} /> : null}
      {problem === undefined ? null : (
        <OperationProblemView problem={problem} buttons={<FieldButton errorName={problem.errorName} />} />
      )}
      <div className="bar">
        {state.isRunning || isDone ? null : (
          <Button variant={isWaiting ? "default" : "filled"} onClick={() => void run()}>
            {problem === undefined && !isWaiting ? "Continue publishing" : "Try again"}
          </Button>
        )}
        {isSent(operation) || state.isRunning ? null : (
          <Button variant="default" onClick={onEdit}>
            Edit
          </Button>
        )}
        {published ? (
          <Button variant="default" component="a" href={path}>
            View service
          </Button>
        ) : null}
      </div>
    </section>
  );
}

/** Draft fields to which a contract error or a conflict with the record refers. */
const fieldOfError: Record<string, string> = {
  AppAlreadyExists: "version",
  VersionNotGreater: "version",
  VersionTaken: "version",
  MajorNotNext: "version",
  VersionExhausted: "version",
  InvalidDID: "did",
  InterfaceRemoved: "interfaces",
  InterfaceChangeNeedsMinor: "interfaces",
  MetadataTooLarge: "storage",
  DataUrlTooLong: "dataUrl",
  TooManyTraits: "/traits",
  DuplicateTrait: "/traits",
  ContractIdTooLong: "contractId",
  FungibleTokenIdTooLong: "fungibleTokenId",
  "same-version": "version",
  version: "version",
  "new-major": "version",
  interfaces: "interfaces",
  traits: "/traits",
  "data-url": "dataUrl",
};

function FieldButton({ errorName }: { errorName: string | undefined }) {
  const { showField } = useWizard();
  const field = errorName === undefined ? undefined : fieldOfError[errorName];
  if (field === undefined) return null;
  return (
    <Button variant="default" size="compact-sm" onClick={() => showField(field)}>
      Go to field
    </Button>
  );
}
