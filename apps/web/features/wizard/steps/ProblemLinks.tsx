"use client";

import { Anchor } from "@mantine/core";
import type { DraftProblem } from "../draft/problems.ts";
import { fieldLabel } from "../draft/screens.ts";
import { useWizard } from "../WizardContext.tsx";

/** Lists open problems, each with a link to its field. */
export function ProblemLinks({ problems }: { problems: readonly DraftProblem[] }) {
  const { showField } = useWizard();
  return (
    <ul className="stack">
      {problems.map(({ field, code, message }) => (
        <li key={field + code + message}>
          <Anchor component="button" type="button" ta="left" onClick={() => showField(field)}>
            {fieldLabel(field)}: {message}
          </Anchor>
        </li>
      ))}
    </ul>
  );
}
