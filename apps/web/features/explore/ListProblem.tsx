import type { SearchProblem } from "@app-registry/sdk";
import Link from "next/link";
import { Problem } from "../../components/record/Problem.tsx";
import { type ListQuery, listHref } from "./listQuery.ts";

import type { SearchFailure } from "./searchServices.ts";

const parameterNames: Record<string, string> = {
  cursor: "The place in the list",
  did: "The DID",
  interface: "The interfaces",
  owner: "The owner",
  q: "The search text",
  traits: "The traits",
};

/** The address holds a filter that is none. */
export function QueryProblems({ problems }: { problems: readonly SearchProblem[] }) {
  return (
    <Problem
      tone="neutral"
      title="This search can't be made"
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

/** The list could not be read: neither the index nor the chain answered, or the text needs the index. */
export function ListFailure({ failure, query }: { failure: SearchFailure; query: ListQuery }) {
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
