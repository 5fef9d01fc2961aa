"use client";

import {
  formatVersion,
  type Operation,
  type OperationProblem,
  type StageId,
  type StageState,
  statusNames,
} from "@app-registry/sdk";
import type { ReactNode } from "react";
import { CopyBlock } from "../../../components/record/documents.tsx";
import { StatusMark } from "../../../components/record/facts.tsx";
import { Problem } from "../../../components/record/Problem.tsx";
import styles from "./submission.module.css";

const words: Record<StageState, string> = {
  todo: "Not started",
  working: "Now",
  waiting: "Waiting",
  done: "Done",
  failed: "Stopped",
};

function stageTitle(id: StageId, { plan, request }: Operation): string {
  const titles: Record<StageId, string> = {
    plan: "Compare with what is registered",
    control: "Prove that you control the DID",
    simulate: "Try the transaction without sending it",
    sign:
      plan?.action === "update"
        ? `Sign version ${formatVersion(plan.parameters.version)}`
        : request === undefined
          ? "Sign the transaction"
          : "Sign the registration",
    receipt: "Wait for the receipt",
    status:
      request?.status === undefined ? "Set the status" : `Mark the record as ${statusNames[request.status]}`,
    content: "Have the content attested",
    index: "Wait for search to find it",
  };
  return titles[id];
}

/** What an operation passes through, with what is happening now. */
export function OperationSteps({ operation }: { operation: Operation }) {
  return (
    <ol aria-label={operation.request === undefined ? "Transaction" : "Publishing"}>
      {operation.stages.map(({ id, state, note }) => (
        <li
          key={id}
          className={styles.stage}
          data-state={state}
          aria-current={state === "working" ? "step" : undefined}
        >
          <span className={styles.mark}>
            <Mark state={state} />
          </span>
          <span className={styles.title}>{stageTitle(id, operation)}</span>
          <span className="quiet">{words[state]}</span>
          {note === undefined ? null : (
            <span className={`small soft anywhere ${styles.note}`} aria-live="polite">
              {note}
            </span>
          )}
        </li>
      ))}
    </ol>
  );
}

function Mark({ state }: { state: StageState }) {
  if (state === "done") return <StatusMark outcome="pass" />;
  if (state === "failed") return <StatusMark outcome="fail" />;
  if (state === "waiting") return <StatusMark outcome="unknown" />;
  return <span className={styles.dot} />;
}

/** Why an operation stopped and what to do, with the DID document to publish where that is missing. */
export function OperationProblemView({
  problem,
  buttons,
}: {
  problem: OperationProblem;
  buttons?: ReactNode;
}) {
  const { title, message, action, details, publish } = problem;
  return (
    <div role="alert" className="stack">
      <Problem
        level={3}
        title={title ?? message}
        why={title === undefined ? undefined : message}
        detail={details.length === 0 ? undefined : details.join("\n")}
        action={
          <>
            {action === undefined ? null : <p>{action}</p>}
            {buttons}
          </>
        }
      />
      {publish === undefined ? null : (
        <CopyBlock text={publish.text} caption={`Publish it at ${publish.url}`} />
      )}
    </div>
  );
}
