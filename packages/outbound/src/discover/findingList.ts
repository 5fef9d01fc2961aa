import { getFindingKey } from "./createProposal.ts";
import { type Discovery, type Finding, type FindingKind, findingKinds } from "./finding.ts";

/**
 * Relations of a finding to the requested address, the closest first: read at the address itself, listed by it or by
 * the well-known paths that a domain stands for, the page of that domain, and anything else on the site.
 */
const places = ["address", "listed", "page", "elsewhere"] as const;
export type Place = (typeof places)[number];

/** Entry of a catalog or a card, with its position in nested ones: four digits per document. */
export type Entry = { identifier: string | undefined; position: string };

/** Findings of one search, each once, with their relations to the address and the entries that list them. */
export class FindingList {
  readonly all: Finding[] = [];
  /** Place of further findings, unless another one is given. */
  place: Place = "listed";
  readonly #places = new Map<Finding, Place>();
  /** Entries by the URL or the key of their finding. */
  readonly #entries = new Map<string, Entry>();

  /** True if there is a finding other than a web page. */
  get hasService(): boolean {
    return this.all.some(({ kind }) => kind !== "website");
  }

  /** True if a finding describes the address, and not only something else on its site. */
  get hasHit(): boolean {
    return [...this.#places.values()].some((place) => place !== "elsewhere");
  }

  add(finding: Finding, place = this.place): void {
    const key = getFindingKey(finding);
    if (this.all.some((other) => getFindingKey(other) === key)) return;
    this.all.push(finding);
    this.#places.set(finding, place);
  }

  getServer(url: string): Finding | undefined {
    return this.all.find((finding) => finding.kind === "mcp" && finding.url === url);
  }

  getEntry(url: string): Entry | undefined {
    return this.#entries.get(url);
  }

  /** Notes the entry to which a finding belongs, unless another entry with an identifier has listed it before. */
  identify(urlOrKey: string, entry: Entry | undefined): void {
    const known = this.#entries.get(urlOrKey);
    if (entry && (!known || (known.identifier === undefined && entry.identifier !== undefined)))
      this.#entries.set(urlOrKey, entry);
  }

  /**
   * Orders the findings: first those of the requested kind, then the closest to the address, then the more specific
   * kinds. A person has to choose if the first one is not alone in its place, unless that is the address itself, and
   * always if nothing answered at its address.
   */
  order(requested: FindingKind | undefined): Pick<Discovery, "findings" | "needsChoice"> {
    const ranked = this.all.map((finding) => {
      const place = this.#places.get(finding) ?? this.place;
      const entry = this.#entries.get(getFindingKey(finding)) ?? this.#entries.get(finding.url);
      const group = `${finding.kind === requested ? 0 : 1}${places.indexOf(place)}${finding.isUnchecked ? 1 : 0}`;
      const order = `${group}${findingKinds.indexOf(finding.kind)} ${entry?.position ?? ""} ${finding.url}`;
      const identifier = entry?.identifier === finding.url ? undefined : entry?.identifier;
      const identified = identifier === undefined ? finding : { ...finding, identifier };
      return { finding: identified, place, group, order };
    });
    ranked.sort((one, other) => (one.order < other.order ? -1 : 1));
    const [first] = ranked;
    const isAlone = ranked.filter(({ group }) => group === first?.group).length <= 1;
    const isRead = first?.finding.isUnchecked !== true;
    const isClear = isRead && (first?.place === "address" || (first?.place !== "elsewhere" && isAlone));
    return { findings: ranked.map(({ finding }) => finding), ...(!isClear && { needsChoice: true }) };
  }
}
