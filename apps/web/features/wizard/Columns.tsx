"use client";

import { useMediaQuery } from "@mantine/hooks";
import { type ReactNode, useState } from "react";
import type { StepId } from "./draft/draft.ts";
import { stepsOf, stepTitle } from "./draft/steps.ts";
import { RecordPanel } from "./RecordPanel.tsx";
import { StepList } from "./StepList.tsx";
import styles from "./Wizard.module.css";
import { useWizard } from "./WizardContext.tsx";

interface ColumnsProps {
  goTo: (step: StepId) => void;
  children: ReactNode;
}

/** Steps on the left, the form in the middle, the record on the right; folded above and below on a narrow page. */
export function Columns({ goTo, children }: ColumnsProps) {
  const wide = useMediaQuery("(min-width: 960px)", true, { getInitialValueInEffect: false });
  if (wide) {
    return (
      <div className={styles.columns}>
        <div className={styles.side}>
          <StepList onStep={goTo} />
        </div>
        <div className={styles.middle}>{children}</div>
        <div className={styles.side}>
          <RecordPanel />
        </div>
      </div>
    );
  }
  return (
    <div className={styles.narrow}>
      <StepFold goTo={goTo} />
      {children}
      <details className={styles.fold}>
        <summary>The record as it will be published</summary>
        <RecordPanel />
      </details>
    </div>
  );
}

function StepFold({ goTo }: Pick<ColumnsProps, "goTo">) {
  const { draft } = useWizard();
  const [open, setOpen] = useState(false);
  const steps = stepsOf(draft.interfaces);
  const place = steps.findIndex(({ id }) => id === draft.step);
  return (
    <details className={styles.fold} open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {place === -1
          ? stepTitle(draft.step)
          : `Step ${place + 1} of ${steps.length}: ${stepTitle(draft.step)}`}
      </summary>
      <StepList
        onStep={(step) => {
          setOpen(false);
          goTo(step);
        }}
      />
    </details>
  );
}
