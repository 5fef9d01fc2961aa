"use client";

import { IconMoon, IconSun } from "@tabler/icons-react";
import { switchColorScheme } from "../../theme/colorScheme.ts";
import styles from "./shell.module.css";

/** Switches between the two themes. CSS selects the icon, so the server's markup is correct in both. */
export function ColorSchemeToggle() {
  return (
    <button
      type="button"
      className={`bare ${styles.toggle}`}
      onClick={switchColorScheme}
      aria-label="Toggle dark mode"
    >
      <IconMoon size={20} stroke={1.5} aria-hidden />
      <IconSun size={20} stroke={1.5} aria-hidden />
    </button>
  );
}
