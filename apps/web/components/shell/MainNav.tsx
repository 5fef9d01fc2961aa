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
