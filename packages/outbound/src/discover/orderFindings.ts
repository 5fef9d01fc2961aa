import { type Discovery, type Finding, type FindingKind, findingKinds } from "./finding.ts";

/**
 * Relations of a finding to the requested address, the closest first: read at the address itself, listed by it or by
 * the well-known paths that a domain stands for, the page of that domain, and anything else on the site.
 */
const places = ["address", "listed", "page", "elsewhere"] as const;
export type Place = (typeof places)[number];

/** Entry of a catalog, with its position in nested catalogs: four digits per catalog. */
export type Entry = { identifier: string | undefined; position: string };

/**
 * Orders findings: first those of the requested kind, then the closest to the address, then the more specific kinds.
 * A person has to choose if the first one is not alone in its place, unless that is the address itself.
 */
export function orderFindings(
  found: readonly { finding: Finding; place: Place; entry: Entry | undefined }[],
  requested: FindingKind | undefined,
): Pick<Discovery, "findings" | "needsChoice"> {
  const ranked = found.map(({ finding, place, entry }) => {
    const group = `${finding.kind === requested ? 0 : 1}${places.indexOf(place)}`;
    const order = `${group}${findingKinds.indexOf(finding.kind)} ${entry?.position ?? ""} ${finding.url}`;
    const identified =
      entry?.identifier === undefined ? finding : { ...finding, identifier: entry.identifier };
    return { finding: identified, place, group, order };
  });
  ranked.sort((one, other) => (one.order < other.order ? -1 : 1));
  const [first] = ranked;
  const isAlone = ranked.filter(({ group }) => group === first?.group).length <= 1;
  const isClear = first?.place === "address" || (first?.place !== "elsewhere" && isAlone);
  return { findings: ranked.map(({ finding }) => finding), ...(!isClear && { needsChoice: true }) };
}
