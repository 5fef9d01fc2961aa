"use client";

import { useEffect, useState } from "react";
import styles from "./identifiers.module.css";

type CopyButtonProps = {
  /** The text to put on the clipboard. */
  text: string;
  /** What is copied, for screen readers: "Copy the DID". */
  label: string;
  /** Shows the word beside the icon. */
  withWord?: boolean;
};

type CopyState = "idle" | "copied" | "refused";

const words: Record<CopyState, string> = { idle: "Copy", copied: "Copied", refused: "Not copied" };

/** Copies text and says whether it worked. */
export function CopyButton({ text, label, withWord = false }: CopyButtonProps) {
  const [state, setState] = useState<CopyState>("idle");

  useEffect(() => {
    if (state === "idle") return;
    const timer = setTimeout(() => setState("idle"), 2000);
    return () => clearTimeout(timer);
  }, [state]);

  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setState("copied");
    } catch {
      setState("refused");
    }
  }

  return (
    <button type="button" className={styles.copy} data-state={state} onClick={copy} aria-label={label}>
      <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
        {state === "copied" ? (
          <path d="M3 8.5l3.2 3.2L13 4.8" />
        ) : (
          <path d="M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z" />
        )}
      </svg>
      {withWord || state !== "idle" ? <span>{words[state]}</span> : null}
      <span className="visuallyHidden" aria-live="polite">
        {state === "idle" ? "" : words[state]}
      </span>
    </button>
  );
}
