import { visibleText } from "@app-registry/sdk";
import Link from "next/link";
import styles from "./explore.module.css";
import type { FacetGroup } from "./facetGroups.ts";

/** Renders links with counts that add a filter to the list or remove one. */
export const FacetLinks = ({ groups }: { groups: FacetGroup[] }) =>
  groups.map(({ name, choices }) => (
    <div key={name} className={styles.group}>
      <h2 className={styles.name}>{name}</h2>
      <ul className={`bar ${styles.choices}`}>
        {choices.map(({ label: choice, count, chosen, href }) => (
          <li key={choice}>
            <Link
              className={styles.choice}
              href={href}
              prefetch={false}
              scroll={false}
              aria-current={chosen ? "true" : undefined}
            >
              <span className="visuallyHidden">{chosen ? "Remove " : ""}</span>
              <bdi>{visibleText(choice)}</bdi>
              {count === undefined ? null : (
                <span className="quiet">
                  {count.toLocaleString("en")}
                  <span className="visuallyHidden"> {count === 1 ? "service" : "services"}</span>
                </span>
              )}
              {chosen ? <span aria-hidden="true">×</span> : null}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  ));
