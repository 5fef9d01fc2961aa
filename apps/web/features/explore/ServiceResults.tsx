import type { SearchPage } from "@app-registry/sdk";
import Link from "next/link";
import { buttonLink } from "../../components/controls/controls.tsx";
import { Problem } from "../../components/record/Problem.tsx";
import { registry } from "../../lib/server/registry.ts";
import { formatCount } from "./formatCount.ts";
import { LagNote } from "./LagNote.tsx";
import { ListEmpty, ListFailure } from "./ListProblem.tsx";
import { type ListQuery, listHref } from "./listQuery.ts";
import { OrderLinks, ServiceList } from "./ServiceList.tsx";
import type { FoundServices } from "./searchServices.ts";

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

/** Returns the orders of a list, each with its path. A search by text has an order of its own. */
const listOrders = (query: ListQuery) =>
  [
    ...(query.q === "" ? [] : [{ sort: "", label: "Best match" } as const]),
    { sort: query.q === "" ? "" : "newest", label: "Newest" } as const,
    { sort: "updated", label: "Latest version" } as const,
    { sort: "changed", label: "Latest change" } as const,
    { sort: "name", label: "Name" } as const,
  ].map(({ sort, label }) => ({
    label,
    href: listHref({ ...query, sort, cursor: "" }),
    isCurrent: sort === query.sort,
  }));

/** Renders the results of a search and notes on their source. */
export function ServiceResults({ query, found }: { query: ListQuery; found: FoundServices }) {
  if (!found.ok) return <ListFailure failure={found.failure} query={query} />;
  const { results, nextCursor, total, source, block, lag } = found.page;
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
      <SearchedFor {...found.page} />
      {results.length === 0 && query.cursor === "" && nextCursor === null ? (
        <ListEmpty query={query} />
      ) : (
        <ServiceList
          rows={found.rows}
          isLastKnown={lag === null}
          caption={
            <>
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
              {source === "chain" ? null : <OrderLinks label="Order:" orders={listOrders(query)} />}
            </>
          }
        />
      )}
      {isPart ? (
        <nav className="bar" style={{ justifyContent: "end", paddingTop: 16 }} aria-label="Pages">
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
