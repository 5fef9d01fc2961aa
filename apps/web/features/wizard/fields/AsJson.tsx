"use client";

import { type ReactNode, useState } from "react";
import { QuietButton } from "../../wallet/WalletBar.tsx";
import { useWizard } from "../WizardContext.tsx";
import { JsonField } from "./JsonField.tsx";

interface AsJsonParameters {
  at: string;
  /** What the part is: "Tools". Names its editor. */
  label: string;
  /** Whether the form can show the value that is there. */
  fits: boolean;
}

/** Whether a part of the metadata is edited as JSON; the editor and the button that goes to and fro. */
export function useJsonEditor({ at, label, fits }: AsJsonParameters): {
  editor?: ReactNode;
  toggle: ReactNode;
} {
  const { draft } = useWizard();
  // A text that doesn't parse yet has to stay in sight.
  const [chosen, setChosen] = useState(draft.texts[at] !== undefined);
  if (!fits) return { editor: <JsonField at={at} label={`${label} as JSON`} lines={4} />, toggle: null };
  return {
    editor: chosen ? <JsonField at={at} label={`${label} as JSON`} lines={8} /> : undefined,
    toggle: (
      <QuietButton onClick={() => setChosen(!chosen)}>
        {chosen ? "Edit in the form" : "Edit as JSON"}
      </QuietButton>
    ),
  };
}
