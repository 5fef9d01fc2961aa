import { type SearchTotal, visibleText } from "@app-registry/sdk";
import Link from "next/link";
import styles from "./explore.module.css";
import type { FacetGroup } from "./facetGroups.ts";

type FacetLinksProps = {
  groups: FacetGroup[];
  /** Number of records that were counted. */
  total: SearchTotal | undefined;
};

/** Renders links with counts that add a filter to the list or remove one. A plus sign marks a minimum. */
export const FacetLinks = ({ groups, total }: FacetLinksProps) =>
  groups.map(({ name, choices }) => (
    <div key={name} className={styles.group}>
      <h2 className="quiet">{name}</h2>
      <ul className="bar">
        {choices.map(({ label: choice, count, chosen, href }) => (
          <li key={choice}>
            <Link
              className="plain small"
              href={href}
              prefetch={false}
              scroll={false}
              aria-current={chosen ? "true" : undefined}
            >
              <span className="visuallyHidden">{chosen ? "Remove " : ""}</span>
              <bdi>{visibleText(choice)}</bdi>{" "}
              {count === undefined ? null : (
                <span className="quiet">
                  {count.toLocaleString("en")}
                  {total?.exact === false ? "+" : ""}
                  <span className="visuallyHidden"> {count === 1 ? "service" : "services"}</span>
                </span>
              )}
              {chosen ? <span aria-hidden="true"> ×</span> : null}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  ));
