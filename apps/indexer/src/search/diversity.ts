/** What of a result its neighbours are compared by. */
type DiversityKeys = {
  did: string;
  site: string;
  owner: string;
  minter: string;
  nameFolded: string | null;
};

/** Places that are shared out, and how many of them one host, path, site or controller takes. */
const DIVERSIFIED_RESULTS = 10;
const MAX_PER_GROUP = 3;

/** The first places, of which one site or controller takes one under one name. */
const TOP_RESULTS = 3;

/** The host, path, site and accounts of a record; those that the search names may take any place. */
function getGroups({ did, site, owner, minter }: DiversityKeys, q: string): string[] {
  const [, method, host = ""] = did.split(":");
  const names = method === "web" ? [host, did.slice("did:web:".length).replaceAll(":", "/"), site] : [did];
  const typed = q.toLowerCase();
  return [...new Set([...names.filter((name) => !typed.includes(name)), owner, minter])];
}

/**
 * Results in their order, but for the first ten: no host, path, site or controller takes more than three of these, nor
 * more than one of the first three under one name, while there are others. What has to wait comes behind, in order.
 *
 * @param q what a person typed: a host that it names is what they look for
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
    // Contracts of one chain have no site in common, but one name.
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
