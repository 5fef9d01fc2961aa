"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import styles from "./shell.module.css";

/** Renders the main navigation and marks the current section. */
export function MainNav() {
  const path = usePathname();
  const current = (section: string) => (path?.startsWith(section) ? { "aria-current": "page" as const } : {});
  return (
    <nav aria-label="Main" className={styles.nav}>
      <Link href="/apps" prefetch={false} {...current("/apps")}>
        Services
      </Link>
      {/* A link of the router would stay on the wizard's current step. */}
      <a href="/register" {...current("/register")}>
        Register
      </a>
      <Link href="/my" prefetch={false} {...current("/my")}>
        My services
      </Link>
      <a href="/docs">Docs</a>
    </nav>
  );
}
