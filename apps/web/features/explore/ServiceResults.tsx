import { appPath, type SearchPage, type SearchProblem, type SearchTotal } from "@app-registry/sdk";
import Link from "next/link";
import { buttonLink } from "../../components/controls/controls.tsx";
import { Problem } from "../../components/record/Problem.tsx";
import { registry } from "../../lib/server/registry.ts";
import { isFiltered, type ListQuery, listHref } from "./listQuery.ts";
import { OrderLinks, ServiceList } from "./ServiceList.tsx";
import type { FoundServices, SearchFailure } from "./searchServices.ts";

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

/** Returns the orders of a list. A search by text has an order of its own. */
const listOrders = (q: string): { sort: ListQuery["sort"]; label: string }[] => [
  ...(q === "" ? [] : [{ sort: "" as const, label: "Best match" }]),
  { sort: q === "" ? "" : "newest", label: "Newest" },
  { sort: "updated", label: "Latest version" },
  { sort: "changed", label: "Latest change" },
  { sort: "name", label: "Name" },
];

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
          facts={lag === null ? "lastKnown" : "checked"}
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
              {source === "chain" ? null : (
                <OrderLinks
                  label="Order:"
                  orders={listOrders(query.q)}
                  current={query.sort}
                  toHref={(sort) => listHref({ ...query, sort, cursor: "" })}
                />
              )}
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

type Counted = {
  /** Number of matching records, including hidden ones. Undefined without a count. */
  total: SearchTotal | undefined;
  /** Number of records on the page. The major versions of one DID share a row, so `services` can be lower. */
  records: number;
  services: number;
  /** The results have other pages. */
  isPart: boolean;
  /** The operator hides services. */
  hides: boolean;
};

const number = (count: number): string => count.toLocaleString("en");

const formatQuantity = (count: number, noun: string): string =>
  `${number(count)} ${noun}${count === 1 ? "" : "s"}`;

/** Formats the number of results: "11 services" in all, or "25 of 120 records (23 services)" on a page. */
export function formatCount({ total, records, services, isPart, hides }: Counted): string {
  const isEqual = services === records;
  const hidden = total?.exact && hides && !isPart ? total.count - records : 0;
  if (total?.exact && total.count === records + hidden) {
    const all = `${formatQuantity(services, "service")}${isEqual ? "" : ` in ${formatQuantity(records, "record")}`}`;
    return hidden === 0 ? all : `${all} (${number(hidden)} hidden by this registry's operator)`;
  }
  const rows = isEqual ? "" : ` (${formatQuantity(services, "service")})`;
  if (total === undefined)
    return `${formatQuantity(records, "record")}${isPart ? " on this page" : ""}${rows}`;
  return `${number(records)} of ${number(total.count)}${total.exact ? "" : " or more"} records${rows}`;
}

type LagNoteProps = {
  /** Number of blocks that the index is behind the chain. Null if the chain doesn't respond, undefined for its answer. */
  lag: number | null | undefined;
  /** Maximum lag at which `/api/health` reports a healthy index, in blocks. */
  limit: number;
};

/** Notes that the chain doesn't respond, or that the index is behind it. Renders nothing up to the limit. */
export function LagNote({ lag, limit }: LagNoteProps) {
  if (lag === null) {
    return (
      <Problem
        tone="unknown"
        title="Not checked now: the chain isn't responding"
        why="The facts below are the last known ones. Check a service again before you rely on it."
      />
    );
  }
  if (lag === undefined || lag <= limit) return null;
  return (
    <p className="quiet">
      This list is {lag.toLocaleString("en")} blocks behind the chain, so recent changes may be missing. Each
      service's page reads the chain itself.
    </p>
  );
}

const parameterNames: Record<string, string> = {
  cursor: "The page",
  did: "The DID",
  interface: "The interfaces",
  minter: "The minter",
  owner: "The owner",
  q: "The search text",
  traits: "The traits",
  under: "The DID of “Under”",
};

/** Lists the invalid filters of a query. */
export function QueryProblems({ problems }: { problems: readonly SearchProblem[] }) {
  return (
    <Problem
      tone="neutral"
      title="This search isn't valid"
      why={
        <ul>
          {problems.map((problem) => (
            <li key={`${problem.parameter} ${problem.message}`}>
              {parameterNames[problem.parameter] ?? problem.parameter}: {problem.message}
            </li>
          ))}
        </ul>
      }
      action={
        <p>
          Change the filter above, or <Link href="/apps">show all services</Link>.
        </p>
      }
    />
  );
}

/** Explains why a list couldn't be loaded. */
export function ListFailure({ failure, query }: { failure: SearchFailure; query: ListQuery }) {
  if (failure.isHidden) {
    return (
      <Problem
        tone="neutral"
        title={failure.title}
        why={failure.why}
        action={<Link href={appPath(query.did)}>Show the on-chain record</Link>}
      />
    );
  }
  const withoutText = listHref({ ...query, q: "", cursor: "" });
  return (
    <Problem
      tone="unknown"
      title={failure.title}
      why={failure.why}
      action={
        <p>
          {query.q === "" ? null : (
            <>
              <Link href={withoutText}>Show the services without the search text</Link>, or{" "}
            </>
          )}
          {query.cursor === "" ? (
            <a href={listHref(query)}>try again</a>
          ) : (
            <Link href={listHref({ ...query, cursor: "" })}>go to the first page</Link>
          )}
          .
        </p>
      }
      detail={failure.detail}
    />
  );
}

/** Names the filters of an empty list and offers next steps. */
export function ListEmpty({ query }: { query: ListQuery }) {
  if (!isFiltered(query)) {
    return (
      <div className="stack soft lined">
        <h2 className="subtitle">No services yet</h2>
        <p>This registry lists no active services. Register a domain or contract that you control.</p>
        <p>
          <Link href="/register" prefetch={false}>
            Register a service
          </Link>
        </p>
      </div>
    );
  }
  const narrowed =
    query.interfaces !== 0 ||
    query.traits.length > 0 ||
    query.owner !== "" ||
    query.did !== "" ||
    query.under !== "";
  return (
    <div className="stack soft lined">
      <h2 className="subtitle">No services found</h2>
      <p>
        No results{query.q === "" ? "" : ` for “${query.q}”`}
        {narrowed ? " with your filters" : ""}
        {query.status === "any" ? "" : `, among ${query.status} services`}.
      </p>
      <ul className="row">
        {query.status === "any" ? null : (
          <li>
            <Link href={listHref({ ...query, status: "any", cursor: "" })}>Search all statuses</Link>
          </li>
        )}
        {narrowed && query.q !== "" ? (
          <li>
            <Link href={listHref({ q: query.q })}>Clear filters</Link>
          </li>
        ) : null}
        <li>
          <Link href="/apps">Show all services</Link>
        </li>
      </ul>
    </div>
  );
}
