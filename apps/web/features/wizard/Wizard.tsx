"use client";

import { useCallback, useMemo, useState } from "react";
import { useRegistryConnection } from "../wallet/ConnectionContext.ts";
import { ChainNotice, WalletBar } from "../wallet/WalletBar.tsx";
import { Columns } from "./Columns.tsx";
import type { Draft, StepId } from "./draft/draft.ts";
import { draftProblems } from "./draft/problems.ts";
import { type DraftKey, submissionKey } from "./draft/storage.ts";
import { ProblemsBar } from "./ProblemsBar.tsx";
import { Screen } from "./Screen.tsx";
import { StartOver } from "./StartOver.tsx";
import { Publishing } from "./submission/Publishing.tsx";
import { isSent, type Order } from "./submission/submission.ts";
import { useSubmission } from "./submission/useSubmission.ts";
import { useDraft } from "./useDraft.ts";
import { useProblemFocus } from "./useProblemFocus.ts";
import { useRegistered } from "./useRegistered.ts";
import styles from "./Wizard.module.css";
import { WizardProvider, type WizardState } from "./WizardContext.tsx";

interface WizardProps {
  draftKey: DraftKey;
  /** Where a draft begins when the browser keeps none. */
  prepared?: Draft | undefined;
}

/** The registration wizard: a draft, its problems, the record that it becomes, and its publication. */
export function Wizard({ draftKey, prepared }: WizardProps) {
  const { publicUrl } = useRegistryConnection();
  const { draft, dispatch, isKept, startOver } = useDraft(draftKey, prepared);
  const submission = useSubmission(submissionKey(draftKey));
  const registered = useRegistered(draft).data;
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [isPublishing, setPublishing] = useState(submission.submission !== undefined);
  const showField = useProblemFocus(draft, dispatch);
  const problems = useMemo(
    () => draftProblems(draft, { registered, publicUrl }),
    [draft, registered, publicUrl],
  );
  const touch = useCallback((field: string) => setTouched((fields) => new Set(fields).add(field)), []);

  const state: WizardState = {
    draft,
    dispatch,
    problems,
    registered,
    publicUrl,
    touched,
    touch,
    showField: (field) => {
      setPublishing(false);
      showField(field);
    },
    readOnly: isSent(submission.submission),
  };
  const goTo = (step: StepId) => {
    setPublishing(false);
    dispatch({ type: "step", step });
    requestAnimationFrame(() => document.getElementById("step-title")?.focus());
  };
  const publish = (order: Order) => {
    setPublishing(true);
    submission.publish(order);
  };
  const clear = () => {
    submission.discard();
    startOver();
    setTouched(new Set());
    setPublishing(false);
  };

  return (
    <WizardProvider value={state}>
      <div className={styles.top}>
        <WalletBar hint="You can fill in the form without one." />
        {isKept ? null : (
          <p className={styles.notKept}>This browser keeps nothing, so a reload would lose what you type.</p>
        )}
        <StartOver onConfirm={clear} />
      </div>
      <ChainNotice />
      <Columns goTo={goTo}>
        {isPublishing && submission.submission ? (
          <Publishing
            state={submission}
            submission={submission.submission}
            draftKey={draftKey}
            onEdit={() => setPublishing(false)}
          />
        ) : (
          <Screen />
        )}
      </Columns>
      {isPublishing ? null : <ProblemsBar onStep={goTo} onPublish={publish} />}
    </WizardProvider>
  );
}
