import { appPath, type SearchProblem } from "@app-registry/sdk";
import Link from "next/link";
import { Problem } from "../../components/record/Problem.tsx";
import { isFiltered, type ListQuery, listHref } from "./listQuery.ts";
import type { SearchFailure } from "./searchServices.ts";

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
