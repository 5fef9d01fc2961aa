import type { SearchPage, SearchQuery } from "@app-registry/sdk";
import Link from "next/link";
import { buttonLink } from "../../components/controls/controls.tsx";
import { Problem } from "../../components/record/Problem.tsx";
import { registry } from "../../lib/server/registry.ts";
import styles from "./explore.module.css";
import { FacetLinks } from "./FacetLinks.tsx";
import { facetGroups } from "./facetGroups.ts";
import { formatCount } from "./formatCount.ts";
import { LagNote } from "./LagNote.tsx";
import { ListEmpty, ListFailure } from "./ListProblem.tsx";
import { type ListQuery, listHref } from "./listQuery.ts";
import { ServiceList } from "./ServiceList.tsx";
import { searchServices } from "./searchServices.ts";

/** Names the words that replaced misspelled ones, or that are too common to find a service. */
function SearchedFor({ corrected = [], commonWords }: Pick<SearchPage, "corrected" | "commonWords">) {
  if (commonWords) {
    const words = commonWords.map((word) => `“${word}”`).join(", ");
    const advice = "Add a word that says what the service does, or choose a trait.";
    return <p role="status">{`Too many services match ${words}. ${advice}`}</p>;
  }
  if (corrected.length === 0) return null;
  return (
    <p role="status">
      {corrected.map(({ from, to }, index) => (
        <span key={from}>
          {index === 0 ? "Searched for " : ", and for "}
          <strong>{to}</strong>. No services match “{from}”
        </span>
      ))}
      .
    </p>
  );
}

/** Renders the results of a search and notes on their source. */
export async function ServiceResults({ query, search }: { query: ListQuery; search: SearchQuery }) {
  const found = await searchServices(search);
  if (!found.ok) return <ListFailure failure={found.failure} query={query} />;
  const { results, nextCursor, total, facets, source, block, lag } = found.page;
  const isPart = query.cursor !== "" || nextCursor !== null;
  return (
    <>
      {source === "chain" ? (
        <Problem
          tone="unknown"
          title="Search is limited right now"
          why="The search index is unavailable, so this list comes directly from the chain. It is complete, but you can't search by text or sort, and some facts show as unknown."
        />
      ) : null}
      <LagNote lag={lag} limit={registry().environment.indexLagLimit} />
      {facets === undefined ? null : (
        <FacetLinks
          groups={facetGroups({ ...query, traits: search.traits ?? [] }, facets)}
          label="Refine results"
        />
      )}
      <SearchedFor {...found.page} />
      {results.length === 0 && query.cursor === "" && nextCursor === null ? (
        <ListEmpty query={query} />
      ) : (
        <ServiceList
          rows={found.rows}
          caption={
            <p className="strong" role="status">
              {formatCount({
                total,
                records: results.length,
                services: found.rows.length,
                isPart,
                hides: registry().hidden.dids().length > 0,
              })}
              <span className="quiet"> at block {block.toLocaleString("en")}</span>
            </p>
          }
        />
      )}
      {isPart ? (
        <nav className={`bar ${styles.pages}`} aria-label="Pages">
          {query.cursor === "" ? null : (
            <Link className={buttonLink} href={listHref({ ...query, cursor: "" })} prefetch={false}>
              First
            </Link>
          )}
          {nextCursor === null ? null : (
            <Link className={buttonLink} href={listHref({ ...query, cursor: nextCursor })} prefetch={false}>
              Next
            </Link>
          )}
        </nav>
      ) : null}
    </>
  );
}
