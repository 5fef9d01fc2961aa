import Link from "next/link";
import { ColorSchemeToggle } from "./ColorSchemeToggle.tsx";
import styles from "./SiteHeader.module.css";

/** The name of the register and its three places. */
export function SiteHeader() {
  return (
    <header className={styles.header}>
      <div className={styles.inner}>
        <Link href="/" prefetch={false} className={styles.name}>
          App Registry
        </Link>
        <nav aria-label="Main" className={styles.nav}>
          <Link href="/apps" prefetch={false}>
            Services
          </Link>
          <Link href="/register" prefetch={false}>
            Register
          </Link>
          <Link href="/my" prefetch={false}>
            My services
          </Link>
        </nav>
        <ColorSchemeToggle />
      </div>
    </header>
  );
}
