import type { SearchPage } from "@app-registry/sdk";
import type { HiddenServices } from "@app-registry/server/hiddenServices";
import { ApiProblem } from "../problem.ts";

/**
 * Refuses what asks for a hidden service by its DID.
 *
 * @throws ApiProblem 451 `hidden` with the operator's reason.
 */
export function refuseHidden(hidden: HiddenServices, did: string): void {
  const reason = hidden.reasonOf(did);
  if (reason === undefined) return;
  throw new ApiProblem(451, "hidden", "The operator of this registry has hidden this service", {
    detail: reason,
  });
}

/** A page of results without the hidden services. */
export function withoutHidden(hidden: HiddenServices, page: SearchPage): SearchPage {
  if (page.results.every(({ did }) => hidden.reasonOf(did) === undefined)) return page;
  return { ...page, results: page.results.filter(({ did }) => hidden.reasonOf(did) === undefined) };
}
