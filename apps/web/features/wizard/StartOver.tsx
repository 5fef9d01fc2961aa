"use client";

import { Button } from "@mantine/core";
import { useState } from "react";
import { QuietButton } from "../wallet/QuietButton.tsx";
import styles from "./Wizard.module.css";

/** Empties the form, after asking once more. */
export function StartOver({ onConfirm }: { onConfirm: () => void }) {
  const [asking, setAsking] = useState(false);
  if (!asking) {
    return <QuietButton onClick={() => setAsking(true)}>Start over</QuietButton>;
  }
  return (
    <span className={styles.ask}>
      This empties the form.
      <Button
        variant="default"
        size="compact-sm"
        onClick={() => {
          setAsking(false);
          onConfirm();
        }}
      >
        Empty it
      </Button>
      <QuietButton onClick={() => setAsking(false)}>Keep it</QuietButton>
    </span>
  );
}
