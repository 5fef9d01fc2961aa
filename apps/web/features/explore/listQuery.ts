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

function pickAllowed<Value extends string>(
  values: readonly Value[],
  text: string | undefined,
): Value | undefined {
  return values.find((value) => value === text);
}

/** Reads the list's query. Repeated `interface` bits are combined; `traits` may repeat or be a list. */
export function readListQuery(params: PageSearchParams): ListQuery {
  const bits = all(params.interface).map(Number);
  return {
    q: all(params.q)[0] ?? "",
    interfaces: bits.reduce((bitmap, bit) => bitmap | bit, 0),
    traits: [...new Set(all(params.traits).flatMap((text) => all(text.split(","))))],
    match: all(params.match)[0] === "any" ? "any" : "all",
    status: pickAllowed(statuses, all(params.status)[0]) ?? "active",
    sort: pickAllowed(sorts, all(params.sort)[0]) ?? "",
    owner: all(params.owner)[0] ?? "",
    minter: all(params.minter)[0] ?? "",
    did: all(params.did)[0] ?? "",
    under: all(params.under)[0] ?? "",
    live: pickAllowed(["answers"] as const, all(params.live)[0]) ?? "",
    drift: pickAllowed(["same"] as const, all(params.drift)[0]) ?? "",
    cursor: all(params.cursor)[0] ?? "",
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
