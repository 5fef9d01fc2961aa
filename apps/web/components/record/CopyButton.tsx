"use client";

import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import styles from "./record.module.css";

type CopyButtonProps = {
  /** Text to copy. */
  text: string;
  /** Accessible name: "Copy the DID". */
  label: string;
  /** Shows the word next to the icon. */
  withWord?: boolean;
};

/** Time to show the result, in milliseconds. */
const SAID_FOR = 2_000;

/** Renders a button that copies text and shows the result. */
export function CopyButton({ text, label, withWord = false }: CopyButtonProps) {
  const [said, setSaid] = useState<"Copied" | "Not copied">();
  useEffect(() => {
    if (said === undefined) return;
    const timer = setTimeout(() => setSaid(undefined), SAID_FOR);
    return () => clearTimeout(timer);
  }, [said]);
  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setSaid("Copied");
    } catch {
      setSaid("Not copied");
    }
  }
  const Icon = said === "Copied" ? IconCheck : IconCopy;
  return (
    <button type="button" className={`bare ${styles.copy}`} aria-label={label} onClick={copy}>
      <Icon size={16} stroke={1.25} aria-hidden />
      <span aria-live="polite">{said ?? (withWord ? "Copy" : "")}</span>
    </button>
  );
}
