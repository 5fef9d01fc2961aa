"use client";

import type { StepId } from "./draft/draft.ts";
import { stepsOf, stepTitle } from "./draft/steps.ts";
import styles from "./StepList.module.css";
import { useWizard } from "./WizardContext.tsx";

/** The screens of the wizard with what is done and what is missing. */
export function StepList({ onStep }: { onStep: (step: StepId) => void }) {
  const { draft } = useWizard();
  return (
    <nav aria-label="Steps" className={styles.nav}>
      <ol className={styles.steps}>
        {stepsOf(draft.interfaces).map(({ id }, index) => (
          <StepItem key={id} id={id} number={String(index + 1)} onStep={onStep} />
        ))}
      </ol>
      <ul className={styles.aside}>
        <StepItem id="json" number="{}" onStep={onStep} />
      </ul>
    </nav>
  );
}

function StepItem({ id, number, onStep }: { id: StepId; number: string; onStep: (step: StepId) => void }) {
  const { draft, problems } = useWizard();
  const current = draft.step === id;
  const open = problems.filter(({ step }) => step === id).length;
  const done = open === 0 && draft.visited.includes(id) && id !== "review";
  const state = open > 0 ? `${open} open` : done ? "done" : "";
  return (
    <li>
      <button
        type="button"
        className={styles.step}
        aria-current={current ? "step" : undefined}
        data-state={open > 0 ? "open" : done ? "done" : "new"}
        onClick={() => onStep(id)}
      >
        <span className={styles.number} aria-hidden="true">
          {done ? "✓" : number}
        </span>
        <span>{stepTitle(id)}</span>
        {state === "" ? null : <span className={styles.state}>{state}</span>}
      </button>
    </li>
  );
}
