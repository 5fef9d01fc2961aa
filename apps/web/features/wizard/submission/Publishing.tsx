"use client";

import { appPath, formatVersion } from "@app-registry/sdk";
import { Button } from "@mantine/core";
import { useRouter } from "next/navigation";
import { useCallback, useEffect, useRef } from "react";
import { DidText, HashText } from "../../../components/record/identifiers.tsx";

import { type DraftKey, forgetDraft } from "../draft/draft.ts";
import { useWizard } from "../WizardContext.tsx";
import { ControlWait } from "./ControlWait.tsx";
import { SubmissionProblemView } from "./SubmissionProblemView.tsx";
import { isSent, type Submission } from "./submission.ts";
import { TransactionSteps } from "./TransactionSteps.tsx";
import type { useSubmission } from "./useSubmission.ts";

interface PublishingProps {
  state: ReturnType<typeof useSubmission>;
  submission: Submission;
  draftKey: DraftKey;
  /** Back to the form. */
  onEdit: () => void;
}

/** A publication on its way: what is happening, what stopped it, and where it leads. */
export function Publishing({ state, submission, draftKey, onEdit }: PublishingProps) {
  const router = useRouter();
  const { isDone, forget, run } = state;
  const { order, problem, stages, transactionHash } = submission;
  const path = appPath(order.did);
  const isWaiting = stages.control.state === "waiting";
  const published = stages.receipt.state === "done";

  // Once for each reason: an issuer that sees the chain a block later must not be asked without end.
  const wentOn = useRef<string | undefined>(undefined);
  const goOn = useCallback(
    (reason: string) => {
      if (wentOn.current === reason) return;
      wentOn.current = reason;
      void run();
    },
    [run],
  );

  useEffect(() => {
    if (!isDone) return;
    forgetDraft(localStorage, draftKey);
    forget();
    router.push(path);
  }, [isDone, draftKey, forget, router, path]);

  return (
    <section className="stack3" aria-labelledby="step-title">
      <header>
        <h2 id="step-title" tabIndex={-1}>
          {published ? "Published" : "Publishing"} version {formatVersion(order.version)}
        </h2>
        <DidText did={order.did} />
      </header>
      <TransactionSteps submission={submission} />
      {transactionHash === undefined ? null : (
        <p>
          Transaction <HashText hash={transactionHash} label="transaction hash" />
        </p>
      )}
      {isWaiting ? <ControlWait did={order.did} account={order.account} onOver={goOn} /> : null}
      {problem === undefined ? null : (
        <SubmissionProblemView problem={problem} buttons={<MendButton field={problem.field} />} />
      )}
      <div className="bar">
        {state.isRunning || isDone ? null : (
          <Button variant={isWaiting ? "default" : "filled"} onClick={() => void run()}>
            {problem === undefined && !isWaiting ? "Continue publishing" : "Try again"}
          </Button>
        )}
        {isSent(submission) || state.isRunning ? null : (
          <Button variant="default" onClick={onEdit}>
            Back to the form
          </Button>
        )}
        {published ? (
          <Button variant="default" component="a" href={path}>
            Open the service's page
          </Button>
        ) : null}
      </div>
    </section>
  );
}

function MendButton({ field }: { field: string | undefined }) {
  const { showField } = useWizard();
  if (field === undefined) return null;
  return (
    <Button variant="default" size="compact-sm" onClick={() => showField(field)}>
      Go to the field
    </Button>
  );
}
