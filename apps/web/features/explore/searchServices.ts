import "server-only";
import {
  IndexNeededError,
  type SearchPage,
  type SearchQuery,
  type SearchResult,
  toAppRegistryError,
} from "@app-registry/sdk";
import { ApiProblem } from "../../lib/server/problem.ts";
import { registry } from "../../lib/server/registry.ts";
import { searchRegistry } from "../../lib/server/searchRegistry.ts";
import { withPatience } from "../service/withPatience.ts";
import { type Outcomes, rowOutcomes } from "./rowOutcomes.ts";

/** Why there is no list. */
export type SearchFailure = { title: string; why: string; detail?: string };

/** A record in a list, with the outcomes of its facts when they are there already. */
export type ServiceEntry = { result: SearchResult; outcomes: Outcomes | undefined };

export type FoundServices =
  | { ok: true; page: SearchPage; rows: ServiceEntry[] }
  | { ok: false; failure: SearchFailure };

/** Milliseconds that a list waits for the facts of its rows before it shows the rest. */
const FACTS_PATIENCE = 500;

/** Searches as `/api/search` does: the index, else the chain. */
export async function searchServices(search: SearchQuery): Promise<FoundServices> {
  try {
    const page = await searchRegistry(registry(), search);
    const rows = page.results.map(async (result) => {
      const outcomes = await withPatience(rowOutcomes(result), FACTS_PATIENCE);
      return { result, outcomes };
    });
    return { ok: true, page, rows: await Promise.all(rows) };
  } catch (thrown) {
    return { ok: false, failure: failureOf(thrown) };
  }
}

function failureOf(thrown: unknown): SearchFailure {
  if (thrown instanceof ApiProblem) {
    return {
      title: "This place in the list is gone",
      why: "The address names a page of another search, or of a list that has been built anew since.",
      detail: thrown.message,
    };
  }
  if (thrown instanceof IndexNeededError) {
    return thrown.problems.some(({ parameter }) => parameter === "cursor")
      ? {
          title: "The next page can't be read now",
          why: "The search index does not answer, and this page is one of its list. Try again, or begin at the first page.",
          detail: thrown.message,
        }
      : {
          title: "The register can't be searched by text now",
          why: "The search index does not answer, and the chain alone holds no text index. Filters still work.",
          detail: thrown.message,
        };
  }
  const error = toAppRegistryError(thrown);
  return {
    title: "The list can't be read now",
    why: [error.shortMessage, error.action].filter(Boolean).join(" "),
    detail: error.message,
  };
}
