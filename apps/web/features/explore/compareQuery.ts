import { type CanonicalDid, normalizeDid, toAppRegistryError } from "@app-registry/sdk";

const MIN_COMPARED = 2;
const MAX_COMPARED = 4;

/** Id of the form to which the checkboxes of a list belong. */
export const COMPARE_FORM = "compare";

/** Allowed number of services, for people. */
export const COMPARE_LIMITS = "Select two to four services.";

/** Returns the path of a comparison. */
export const compareHref = (dids: readonly string[]): string =>
  `/compare?${new URLSearchParams(dids.map((did) => ["did", did]))}`;

/** Reads the DIDs to compare. Repeated ones count once. `problem` says why they can't be compared. */
export function readCompareQuery(
  value: string | string[] | undefined,
): { ok: true; dids: CanonicalDid[] } | { ok: false; problem: string } {
  const texts = [value ?? []].flat().slice(0, 100);
  const given = new Set(texts.map((text) => text.trim()).filter((text) => text !== ""));
  if (given.size > MAX_COMPARED) return { ok: false, problem: `You selected more. ${COMPARE_LIMITS}` };
  try {
    const dids = [...new Set([...given].map(normalizeDid))];
    return dids.length < MIN_COMPARED
      ? { ok: false, problem: `You selected ${dids.length === 0 ? "none" : "one"}. ${COMPARE_LIMITS}` }
      : { ok: true, dids };
  } catch (thrown) {
    return { ok: false, problem: toAppRegistryError(thrown).shortMessage };
  }
}
