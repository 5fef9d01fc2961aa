import Link from "next/link";
import styles from "./SiteFooter.module.css";

/** What the register is, and what it is not. */
export function SiteFooter() {
  return (
    <footer className={styles.footer}>
      <div className={styles.inner}>
        <p>
          Draft protocol, not for production. An attestation is as good as its issuer; what a service's
          metadata claims is its publisher's word.
        </p>
        <nav aria-label="Further" className={styles.links}>
          <Link href="/issuers" prefetch={false}>
            Issuers
          </Link>
          <Link href="/control" prefetch={false}>
            Control of a DID
          </Link>
          <a href="/api/openapi.json">HTTP API</a>
        </nav>
      </div>
    </footer>
  );
}
