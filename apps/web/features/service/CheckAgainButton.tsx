"use client";

import { useFormStatus } from "react-dom";
import styles from "./service.module.css";

/** Submits the form around it; says what is going on while the answer is awaited. */
export function CheckAgainButton({ asking }: { asking: string }) {
  const { pending } = useFormStatus();
  return (
    <button type="submit" className={styles.button} disabled={pending} aria-live="polite">
      {pending ? asking : "Check again"}
    </button>
  );
}
