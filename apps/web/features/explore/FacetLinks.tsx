import type { SearchFacets } from "@app-registry/sdk";
import { visibleText } from "@app-registry/sdk";
import Link from "next/link";
import styles from "./explore.module.css";
import { facetGroups } from "./facetGroups.ts";
import type { ListQuery } from "./listQuery.ts";

type FacetLinksProps = { query: ListQuery; facets: SearchFacets };

/** Renders links with counts that add a filter to the list or remove one. */
export function FacetLinks({ query, facets }: FacetLinksProps) {
  const groups = facetGroups(query, facets);
  if (groups.length === 0) return null;
  return (
    <nav className={styles.facets} aria-label="Refine results">
      {groups.map(({ name, choices }) => (
        <div key={name} className={styles.group}>
          <h2 className={styles.name}>{name}</h2>
          <ul className={`bar ${styles.choices}`}>
            {choices.map(({ label, count, chosen, href }) => (
              <li key={label}>
                <Link
                  className={styles.choice}
                  href={href}
                  prefetch={false}
                  scroll={false}
                  aria-current={chosen ? "true" : undefined}
                >
                  <span className="visuallyHidden">{chosen ? "Remove " : ""}</span>
                  <bdi>{visibleText(label)}</bdi>
                  {count === undefined ? null : (
                    <span className="quiet">
                      {count.toLocaleString("en")}
                      <span className="visuallyHidden"> services</span>
                    </span>
                  )}
                  {chosen ? <span aria-hidden="true">×</span> : null}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
