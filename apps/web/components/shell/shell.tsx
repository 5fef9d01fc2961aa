import Link from "next/link";
import type { ReactNode } from "react";
import { ColorSchemeToggle } from "./ColorSchemeToggle.tsx";
import styles from "./shell.module.css";

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

/** What the register is, and what it is not. */
export function SiteFooter() {
  return (
    <footer className={styles.footer}>
      <div className={styles.siteFooterInner}>
        <p>
          Draft protocol, not for production. Attestations are only as reliable as their issuers. Metadata is
          claimed by publishers, not verified.
        </p>
        <nav aria-label="More" className="row">
          <Link href="/issuers" prefetch={false}>
            Issuers
          </Link>
          <Link href="/control" prefetch={false}>
            Check control
          </Link>
          <Link href="/prober" prefetch={false}>
            Live checks
          </Link>
          <a href="/api/openapi.json">HTTP API</a>
        </nav>
      </div>
    </footer>
  );
}

type LedgerSectionProps = {
  /** Stands in the margin. */
  title: string;
  /** Anchor, so that the section can be linked. */
  id?: string;
  /** A line under the title: a count, an explanation. */
  note?: ReactNode;
  children: ReactNode;
};

/** A section of a record: a hairline, its name in the margin, its content beside it. */
export function LedgerSection({ title, id, note, children }: LedgerSectionProps) {
  return (
    <section className={styles.section} id={id}>
      <div>
        <h2 className="subtitle">{title}</h2>
        {note === undefined ? null : <div className="quiet">{note}</div>}
      </div>
      <div className={styles.content}>{children}</div>
    </section>
  );
}
