import Link from "next/link";
import styles from "./ListEmpty.module.css";
import { isFiltered, type ListQuery, listHref } from "./listQuery.ts";

/** Nothing matches: what was asked for, and the ways on. */
export function ListEmpty({ query }: { query: ListQuery }) {
  if (!isFiltered(query)) {
    return (
      <div className={styles.empty}>
        <h2 className={styles.title}>The register is empty</h2>
        <p>
          No service is registered on this chain yet. Prove control of a domain or a contract to be the first.
        </p>
        <p>
          <Link href="/register" prefetch={false}>
            Register a service
          </Link>
        </p>
      </div>
    );
  }
  const narrowed =
    query.interfaces !== 0 || query.traits.length > 0 || query.owner !== "" || query.did !== "";
  return (
    <div className={styles.empty}>
      <h2 className={styles.title}>No service matches</h2>
      <p>
        The register was searched{query.q === "" ? "" : ` for “${query.q}”`}
        {narrowed ? " with your filters" : ""}
        {query.status === "active" ? ", among active services" : ""}.
      </p>
      <ul className={styles.ways}>
        {query.status === "any" ? null : (
          <li>
            <Link href={listHref({ ...query, status: "any", cursor: "" })}>Look in every status</Link>
          </li>
        )}
        {narrowed && query.q !== "" ? (
          <li>
            <Link href={listHref({ q: query.q })}>Search without filters</Link>
          </li>
        ) : null}
        <li>
          <Link href="/apps">Show all services</Link>
        </li>
      </ul>
    </div>
  );
}
