"use client";

import { IconMoon, IconSun } from "@tabler/icons-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { useEffect } from "react";
import { localTimeText } from "../../lib/record/times.ts";
import { switchColorScheme } from "../../theme/colorScheme.ts";
import styles from "./shell.module.css";

/** Renders the main navigation and marks the current section. */
export function MainNav() {
  const path = usePathname();
  const current = (section: string) => (path?.startsWith(section) ? { "aria-current": "page" as const } : {});
  return (
    <nav aria-label="Main" className={styles.nav}>
      <Link className="plain" href="/apps" prefetch={false} {...current("/apps")}>
        Services
      </Link>
      {/* A link of the router would stay on the wizard's current step. */}
      <a className="plain" href="/register" {...current("/register")}>
        Register
      </a>
      <Link className="plain" href="/my" prefetch={false} {...current("/my")}>
        My services
      </Link>
      <a className="plain" href="/docs">
        Docs
      </a>
    </nav>
  );
}

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

function showLocalTime({ target }: Event): void {
  const time = target instanceof Element ? target.closest("time") : null;
  if (time) time.title = `${localTimeText(new Date(time.dateTime))}, your time`;
}

/** Adds the reader's local time to the time under the pointer. Pages show UTC. */
export function LocalTimes() {
  useEffect(() => {
    addEventListener("pointerover", showLocalTime);
    return () => removeEventListener("pointerover", showLocalTime);
  }, []);
  return null;
}
