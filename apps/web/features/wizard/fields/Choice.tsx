"use client";

import { Radio } from "@mantine/core";
import { fieldId, useFieldError, useWizard } from "../WizardContext.tsx";
import { inputLayout } from "./Field.tsx";

interface ChoiceProps {
  /** Draft field to set. */
  at: "algorithm" | "storage" | "status";
  label: string;
  choices: { value: string; label: string; description: string }[];
  onChoice: (value: string) => void;
}

/** Renders a field with a few values, each with a description. */
export function Choice({ at, label, choices, onChoice }: ChoiceProps) {
  const { draft, readOnly } = useWizard();
  return (
    <Radio.Group
      id={fieldId(at)}
      label={label}
      error={useFieldError(at)}
      value={String(draft[at])}
      onChange={onChoice}
      classNames={{ root: "stack", label: inputLayout.classNames.label, error: inputLayout.classNames.error }}
    >
      <div className="stack">
        {choices.map((choice) => (
          <Radio key={choice.value} {...choice} disabled={readOnly} />
        ))}
      </div>
    </Radio.Group>
  );
}
