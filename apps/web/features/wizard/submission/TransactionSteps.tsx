"use client";

import { StatusMark } from "../../../components/record/facts.tsx";
import { stageTitle } from "./stageTexts.ts";
import styles from "./submission.module.css";
import { type StageState, type Submission, stageIds } from "./submission.ts";

const words: Record<StageState, string> = {
  todo: "Not started",
  working: "Now",
  waiting: "Waiting",
  done: "Done",
  failed: "Stopped",
};

/** What publishing passes through, with what is happening now. */
export function TransactionSteps({ submission }: { submission: Submission }) {
  return (
    <ol className={styles.steps} aria-label="Publishing">
      {stageIds.map((id) => {
        const { state, note } = submission.stages[id];
        return (
          <li
            key={id}
            className={styles.stage}
            data-state={state}
            aria-current={state === "working" ? "step" : undefined}
          >
            <span className={styles.mark}>
              <Mark state={state} />
            </span>
            <span className={styles.title}>{stageTitle(id, submission.order)}</span>
            <span className={styles.word}>{words[state]}</span>
            {note === undefined ? null : (
              <span className={styles.note} aria-live="polite">
                {note}
              </span>
            )}
          </li>
        );
      })}
    </ol>
  );
}

function Mark({ state }: { state: StageState }) {
  if (state === "done") return <StatusMark outcome="pass" />;
  if (state === "failed") return <StatusMark outcome="fail" />;
  if (state === "waiting") return <StatusMark outcome="unknown" />;
  return <span className={styles.dot} />;
}
