"use client";

import { useMantineColorScheme } from "@mantine/core";
import { IconMoon, IconSun } from "@tabler/icons-react";
import styles from "./shell.module.css";

/** Switches between the two themes. Which icon shows is CSS, so the server's markup is right in both. */
export function ColorSchemeToggle() {
  const { setColorScheme } = useMantineColorScheme();

  function toggle() {
    const current = document.documentElement.getAttribute("data-mantine-color-scheme");
    setColorScheme(current === "dark" ? "light" : "dark");
  }

  return (
    <button
      type="button"
      className={styles.toggle}
      onClick={toggle}
      aria-label="Switch between light and dark"
    >
      <IconMoon size={20} stroke={1.5} aria-hidden className={styles.forLight} />
      <IconSun size={20} stroke={1.5} aria-hidden className={styles.forDark} />
    </button>
  );
}
