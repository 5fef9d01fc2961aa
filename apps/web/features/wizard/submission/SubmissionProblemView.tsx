"use client";

import type { ReactNode } from "react";
import { CopyBlock } from "../../../components/record/documents.tsx";
import { Problem } from "../../../components/record/Problem.tsx";
import styles from "./submission.module.css";
import type { SubmissionProblem } from "./submission.ts";

/** Why publishing stopped and what mends it, with the did.json to publish where that is what is missing. */
export function SubmissionProblemView({
  problem,
  buttons,
}: {
  problem: SubmissionProblem;
  buttons?: ReactNode;
}) {
  const { title, why, action, detail, didDocument } = problem;
  return (
    <div role="alert" className={styles.problem}>
      <Problem
        level={3}
        title={title}
        why={why}
        detail={detail}
        action={
          <>
            {action === undefined ? null : <p>{action}</p>}
            {buttons}
          </>
        }
      />
      {didDocument === undefined ? null : (
        <CopyBlock text={didDocument.text} caption={`Publish it at ${didDocument.url}`} />
      )}
    </div>
  );
}
