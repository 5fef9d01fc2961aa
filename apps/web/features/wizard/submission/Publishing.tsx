import { appPath, getStage, isSent, type Operation } from "@app-registry/sdk";
import { Button } from "@mantine/core";
import { useCallback, useEffect, useRef } from "react";
import { type Address, isAddressEqual } from "viem";
import { AddressText, DidText } from "../../../components/record/labels.tsx";
import { StatusMark } from "../../../components/record/Problem.tsx";
import { controlWaits } from "../../../lib/control/accountControl.ts";
import { useAccountControl } from "../../control/BlockNotice.tsx";
import { WaitList } from "../../control/statements.tsx";
import type { useOperation } from "../../wallet/useOperation.ts";
import { useWallet } from "../../wallet/useRegistryClient.ts";
import { useWizard } from "../WizardContext.tsx";
import { OperationProblemView, OperationSteps } from "./OperationSteps.tsx";

interface PublishingProps {
  state: ReturnType<typeof useOperation>;
  operation: Operation;
  /** Returns to the form. */
  onEdit: () => void;
}

/** Shows a running publication: its progress, its problem, and a link to the service. */
export function Publishing({ state, operation, onEdit }: PublishingProps) {
  const { showField } = useWizard();
  const { isDone, run } = state;
  const { account, did, problem, request } = operation;
  const [field] =
    Object.entries(errorsOfField).find(([, names]) => names.includes(problem?.errorName ?? "")) ?? [];
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
      {isWaiting ? <ControlWait did={did} account={account} onOver={goOn} /> : null}
      {problem === undefined ? null : (
        <OperationProblemView problem={problem}>
          {field === undefined ? null : (
            <Button variant="default" size="compact-sm" onClick={() => showField(field)}>
              Go to field
            </Button>
          )}
        </OperationProblemView>
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
          <Button variant="default" component="a" href={appPath(did)}>
            View service
          </Button>
        ) : null}
      </div>
    </section>
  );
}

/** Contract errors and conflicts with the record that refer to each draft field. */
const errorsOfField = {
  version: [
    ...["AppAlreadyExists", "VersionNotGreater", "VersionTaken", "MajorNotNext", "VersionExhausted"],
    ...["same-version", "version", "new-major"],
  ],
  did: ["InvalidDID"],
  interfaces: ["InterfaceRemoved", "InterfaceChangeNeedsMinor", "interfaces"],
  storage: ["MetadataTooLarge"],
  dataUrl: ["DataUrlTooLong", "data-url"],
  "/traits": ["TooManyTraits", "DuplicateTrait", "traits"],
  contractId: ["ContractIdTooLong"],
  fungibleTokenId: ["FungibleTokenIdTooLong"],
};

interface ControlWaitProps {
  did: string;
  /** Wallet that waits for control. */
  account: Address;
  /** Called once the wallet is connected and either controls the DID or has no more waits. */
  onOver: (reason: "controls" | "attestable") => void;
}

/** Shows why a wallet does not control a DID yet and for how long. Reads the chain until the wallet does. */
function ControlWait({ did, account, onOver }: ControlWaitProps) {
  const { address: connected } = useWallet();
  const { data: control, isError } = useAccountControl(did, account, { watch: true });
  const isOwn = connected !== undefined && isAddressEqual(connected, account);
  const controls = control?.controller.controls === true;
  const isOver = control !== undefined && controlWaits(control).length === 0;
  useEffect(() => {
    if (isOver && isOwn) onOver(controls ? "controls" : "attestable");
  }, [isOver, isOwn, controls, onOver]);
  return (
    <section className="stack2 lined" aria-label="Why your wallet has to wait">
      <p className="row">
        <span style={{ color: "var(--ink-3)" }}>Wallet</span> <AddressText address={account} />
      </p>
      {controls ? (
        <p role="status">
          <StatusMark outcome="pass" /> This wallet now controls the DID.{" "}
          {isOwn ? "Continuing…" : "Connect this wallet to continue."}
        </p>
      ) : control === undefined ? (
        <p>{isError ? "Couldn't reach the chain. Retrying…" : "Checking why your wallet has to wait…"}</p>
      ) : (
        <>
          <WaitList control={control} />
          <p>
            Publishing continues automatically when the wait ends. You can close this page and come back: this
            browser keeps your draft.
          </p>
        </>
      )}
    </section>
  );
}
