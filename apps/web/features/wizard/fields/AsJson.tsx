"use client";

import { type ReactNode, useState } from "react";
import { QuietButton } from "../../wallet/WalletBar.tsx";
import { useWizard } from "../WizardContext.tsx";
import { JsonField } from "./JsonField.tsx";

interface AsJsonParameters {
  at: string;
  /** Name of the part, such as "Tools", used to label its editor. */
  label: string;
  /** True if the form can show the current value. */
  fits: boolean;
}

/** Returns the JSON editor of a metadata part if it is open, and the button that toggles it. */
export function useJsonEditor({ at, label, fits }: AsJsonParameters): {
  editor?: ReactNode;
  toggle: ReactNode;
} {
  const { draft } = useWizard();
  // Open the editor if its text does not parse yet, so that the user sees it.
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
