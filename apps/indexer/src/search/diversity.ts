/** Fields by which results are grouped. */
type DiversityKeys = {
  did: string;
  site: string;
  owner: string;
  minter: string;
  nameFolded: string | null;
};

/** Number of first results to diversify, and most of them per host, path, site or controller. */
const DIVERSIFIED_RESULTS = 10;
const MAX_PER_GROUP = 3;

/** Number of top results in which a site or controller appears once per name. */
const TOP_RESULTS = 3;

/** Returns the host, path, site and accounts of a record, except for those that the query names. */
function getGroups({ did, site, owner, minter }: DiversityKeys, q: string): string[] {
  const [, method, host = ""] = did.split(":");
  const names = method === "web" ? [host, did.slice("did:web:".length).replaceAll(":", "/"), site] : [did];
  const typed = q.toLowerCase();
  return [...new Set([...names.filter((name) => !typed.includes(name)), owner, minter])];
}

/**
 * Reorders results so that, if there are others, no host, path, site or controller takes more than three of the first
 * ten, or more than one of the first three under one name. The remaining results follow in their order.
 *
 * @param q Text of the query. The limits do not apply to a host that it names
 */
export function diversifyResults<Result extends DiversityKeys>(
  results: readonly Result[],
  q: string,
): Result[] {
  const left = [...results];
  const placed: Result[] = [];
  const taken = new Map<string, number>();
  const getCount = (key: string) => taken.get(key) ?? 0;
  const listKeys = (result: Result) => {
    const groups = getGroups(result, q);
    // Contracts of one chain share `site` without being related, so count `site` only together with the name.
    const named = [...groups, result.site].map((group) => `${group} ${result.nameFolded}`);
    return { groups, named: result.nameFolded === null ? [] : [...new Set(named)] };
  };
  while (placed.length < DIVERSIFIED_RESULTS && left.length > 0) {
    const fits = (result: Result) => {
      const { groups, named } = listKeys(result);
      const isFirst = placed.length < TOP_RESULTS;
      return (
        groups.every((key) => getCount(key) < MAX_PER_GROUP) &&
        !(isFirst && named.some((key) => getCount(key) > 0))
      );
    };
    const at = Math.max(0, left.findIndex(fits));
    const [next] = left.splice(at, 1);
    if (next === undefined) break;
    const { groups, named } = listKeys(next);
    for (const key of [...groups, ...named]) taken.set(key, getCount(key) + 1);
    placed.push(next);
  }
  return [...placed, ...left];
}
