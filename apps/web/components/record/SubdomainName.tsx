import styles from "./record.module.css";

/** A host below its site: what the site's owner chose freely is set lighter. The site stays on one line if it fits. */
export function SubdomainName({ name, site }: { name: string; site: string }) {
  const start = name.lastIndexOf(site);
  return (
    <>
      <span className={styles.subdomain}>{name.slice(0, start)}</span>
      <span className={styles.site}>{name.slice(start)}</span>
    </>
  );
}
