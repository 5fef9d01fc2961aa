"use client";

import { Button } from "@mantine/core";
import { useState } from "react";
import styles from "./Wizard.module.css";

/** Empties the form, after asking once more. */
export function StartOver({ onConfirm }: { onConfirm: () => void }) {
  const [asking, setAsking] = useState(false);
  if (!asking) {
    return (
      <Button variant="subtle" size="compact-sm" onClick={() => setAsking(true)}>
        Start over
      </Button>
    );
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
      <Button variant="subtle" size="compact-sm" onClick={() => setAsking(false)}>
        Keep it
      </Button>
    </span>
  );
}
