import Link from "next/link";
import type { ReactNode } from "react";
import { ColorSchemeToggle, MainNav } from "./browser.tsx";
import styles from "./shell.module.css";

/** Renders the site's name and main navigation. */
export function SiteHeader() {
  return (
    <header className={`page ${styles.header}`}>
      <Link href="/" prefetch={false} className={`plain subtitle ${styles.name}`}>
        App Registry
      </Link>
      <MainNav />
      <ColorSchemeToggle />
    </header>
  );
}

/** Renders the disclaimer and the secondary navigation. */
export function SiteFooter() {
  return (
    <footer className={`page quiet ${styles.footer}`}>
      <p>
        Draft protocol, not for production. Attestations are only as reliable as their issuers. Metadata is
        claimed by publishers, not verified.
      </p>
      <nav aria-label="More" className="row">
        <Link href="/lookup" prefetch={false}>
          Look up an address
        </Link>
        <Link href="/issuers" prefetch={false}>
          Issuers
        </Link>
        <Link href="/control" prefetch={false}>
          Check control
        </Link>
        <Link href="/prober" prefetch={false}>
          Live checks
        </Link>
        <a href="/docs/http-api">HTTP API</a>
      </nav>
    </footer>
  );
}

type LedgerSectionProps = {
  /** Title, shown in the margin. */
  title: string;
  /** Anchor for links to the section. */
  id?: string;
  /** Line below the title, such as a count or an explanation. */
  note?: ReactNode;
  /** Summary of the fold that contains the section's content: "Show the record". */
  fold?: string;
  children: ReactNode;
};

/** Renders a ruled section with its title in the margin. */
export function LedgerSection({ title, id, note, fold, children }: LedgerSectionProps) {
  return (
    <section className={styles.section} id={id}>
      <div>
        <h2 className="subtitle">{title}</h2>
        {note === undefined ? null : <div className="quiet">{note}</div>}
      </div>
      {fold === undefined ? (
        <div>{children}</div>
      ) : (
        <details>
          <summary>{fold}</summary>
          {children}
        </details>
      )}
    </section>
  );
}
