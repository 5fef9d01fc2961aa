import styles from "./record.module.css";

/** Renders a host below its site. The subdomain is lighter: the site's owner can choose any text for it. */
export function SubdomainName({ name, site }: { name: string; site: string }) {
  const start = name.lastIndexOf(site);
  return (
    <>
      <span className={styles.subdomain}>{name.slice(0, start)}</span>
      <span className={styles.site}>{name.slice(start)}</span>
    </>
  );
}
