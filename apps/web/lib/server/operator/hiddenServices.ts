import type { SearchPage } from "@app-registry/sdk";
import type { HiddenServices } from "@app-registry/server/hiddenServices";
import { ApiProblem } from "../problem.ts";

/**
 * Throws if the operator hides the service.
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

/** Removes hidden services from a page of results. */
export function withoutHidden(hidden: HiddenServices, page: SearchPage): SearchPage {
  if (page.results.every(({ did }) => hidden.reasonOf(did) === undefined)) return page;
  return { ...page, results: page.results.filter(({ did }) => hidden.reasonOf(did) === undefined) };
}
