import { type AppStatusName, appStatusNames } from "@app-registry/sdk";

/** URL query of a page, as Next.js passes it. */
export type PageSearchParams = Record<string, string | string[] | undefined>;

/** Values of the list's form. */
export type ListQuery = {
  q: string;
  /** Interface bitmap; 0 means any. */
  interfaces: number;
  traits: string[];
  match: "all" | "any";
  status: AppStatusName | "any";
  sort: "" | "relevance" | "newest" | "updated" | "changed" | "name";
  /** Account that holds the records. */
  owner: string;
  /** Account that registered the records first. */
  minter: string;
  did: string;
  /** DID whose records, and those of its paths, are listed. */
  under: string;
  /** Results of the last live check: `live` if the service responded, `drift` if it matched the registered version. */
  live: "" | "answers";
  drift: "" | "same";
  cursor: string;
};

const statuses = [...appStatusNames, "any"] as const;
const sorts = ["relevance", "newest", "updated", "changed", "name"] as const;

function all(value: string | string[] | undefined): string[] {
  return (Array.isArray(value) ? value : [value ?? ""])
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

const pickAllowed = <Value extends string>(values: readonly Value[], text: string): Value | undefined =>
  values.find((value) => value === text);

/** Returns the first value of a page's parameter, or "" without one. */
export const readParam = (value: string | string[] | undefined): string => all(value)[0] ?? "";

/** Reads the list's query. Repeated `interface` bits are combined; `traits` may repeat or be a list. */
export function readListQuery(params: PageSearchParams): ListQuery {
  const bits = all(params.interface).map(Number);
  const first = (name: string) => readParam(params[name]);
  return {
    q: first("q"),
    interfaces: bits.reduce((bitmap, bit) => bitmap | bit, 0),
    traits: [...new Set(all(params.traits).flatMap((text) => all(text.split(","))))],
    match: first("match") === "any" ? "any" : "all",
    status: pickAllowed(statuses, first("status")) ?? "active",
    sort: pickAllowed(sorts, first("sort")) ?? "",
    owner: first("owner"),
    minter: first("minter"),
    did: first("did"),
    under: first("under"),
    live: first("live") === "answers" ? "answers" : "",
    drift: first("drift") === "same" ? "same" : "",
    cursor: first("cursor"),
  };
}

/** Returns the path of a list without default values. */
export function listHref({ traits = [], match, interfaces, status, ...query }: Partial<ListQuery>): string {
  const written = {
    q: query.q,
    traits: traits.join(","),
    match: match === "any" ? match : "",
    interface: interfaces ? String(interfaces) : "",
    status: status === "active" ? "" : status,
    owner: query.owner,
    minter: query.minter,
    did: query.did,
    under: query.under,
    live: query.live,
    drift: query.drift,
    sort: query.sort,
    cursor: query.cursor,
  };
  // A query may contain unencoded colons and commas (RFC 3986, section 3.4).
  const plain = (name: string, value: string) =>
    name === "traits" || name === "under"
      ? encodeURIComponent(value).replace(/%3A|%2C/g, decodeURIComponent)
      : encodeURIComponent(value);
  const params = Object.entries(written).flatMap(([name, value]) =>
    value ? [`${name}=${plain(name, value)}`] : [],
  );
  return params.length === 0 ? "/apps" : `/apps?${params.join("&")}`;
}

/** Returns true if the list has a filter. */
export function isFiltered(query: ListQuery): boolean {
  return listHref({ ...query, sort: "", cursor: "" }) !== "/apps";
}

/** Returns the path of the list of services, in any status, under a DID: its own and those of its paths. */
export const getPublisherPath = (did: string): string => listHref({ under: did, status: "any" });

/**
 * Returns the list that replaced `/by/<host>`, `/by/<host>:<port>/<path>` or `/by/eip155:<chain>:<address>`. Takes the
 * undecoded path. The list reports a name that is invalid.
 */
export function replacePublisherPath(rawPath: string): string {
  try {
    const [, , authority = "", ...path] = decodeURIComponent(rawPath.replace(/\/$/, "")).split("/");
    if (/^eip155:/i.test(authority)) return getPublisherPath(`did:pkh:${authority}`);
    const parts = [authority, ...path].map((part) => part.replaceAll(":", "%3A"));
    return getPublisherPath(`did:web:${parts.join(":")}`);
  } catch {
    // The path has invalid percent-encoding.
    return "/apps";
  }
}
