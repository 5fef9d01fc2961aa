import type { JsonObject, JsonValue } from "@app-registry/sdk";
import { type Discovery, type Finding, type FindingKind, findingKinds } from "./finding.ts";

/** Text of another finding, read at `url`, for a field that the finding lacks. It may belong to another service. */
export type Suggestion = { pointer: string; value: JsonValue; url: string; kind: FindingKind };

/** Draft of a service's metadata JSON, made from one finding of a discovery. */
export interface Proposal {
  /** Most likely DID. */
  did?: string;
  /** Version as major.minor.patch; 1.0.0 if the finding has none. */
  version: string;
  /** Interface bits; 0 if unknown. */
  interfaces: number;
  metadata: JsonObject;
  /** JSON Pointers of generated texts. They come from the service's capabilities or its address, not from a source. */
  proposed: string[];
  /** Texts of other findings, for a person to choose from. They are not in `metadata`. */
  suggestions: Suggestion[];
}

/** Metadata fields for which other findings are offered as suggestions. */
const texts = ["name", "description", "publisher", "image", "external_url", "supportUrl"] as const;

/**
 * Returns a key that identifies a finding among those of one discovery, and in a later discovery of the same address.
 *
 * @example
 * const finding = { kind: "mcp", url: "https://example.com/mcp", metadata: {}, interfaces: 2 } as const;
 * JSON.parse(getFindingKey({ ...finding, offers: [] })); // ["mcp", "https://example.com/mcp", null]
 */
export const getFindingKey = ({ kind, url, identifier }: Finding): string =>
  JSON.stringify([kind, url, identifier]);

/**
 * Converts one finding to a draft of the metadata JSON. Uses a metadata JSON of the registry unchanged. Generates a
 * missing name, description and publisher. Uses nothing of the other findings: they may describe other services.
 *
 * @param finding A finding of the discovery. Default: the first one.
 * @example
 * const { interfaces, proposed } = createProposal(await discoverService(mcpUrl, { guardedFetch }));
 * interfaces; // 2
 * proposed; // ["/description", "/publisher"]
 */
export function createProposal(discovery: Discovery, finding = discovery.findings[0]): Proposal {
  const did = finding?.kind === "contract" ? finding.url : (finding?.did ?? discovery.dids[0]?.did);
  const read = finding?.metadata ?? {};
  const generated = finding === undefined || finding.kind === "metadata" ? {} : generateTexts(finding);
  return {
    ...(did !== undefined && { did }),
    version: finding?.version ?? "1.0.0",
    interfaces: finding?.interfaces ?? 0,
    metadata: { ...generated, ...read },
    proposed: Object.keys(generated).flatMap((field) => (read[field] === undefined ? [`/${field}`] : [])),
    suggestions: finding === undefined ? [] : listSuggestions(finding, discovery.findings),
  };
}

/** Generates texts from a finding's URL and capabilities. */
function generateTexts(finding: Finding): JsonObject {
  const host = URL.canParse(finding.url) ? new URL(finding.url).host : "";
  const description = describeFinding(finding);
  return host === "" ? { description } : { name: host, description, publisher: host };
}

/** Lists texts for the fields that a finding lacks: those of the document that names it, and those of other findings. */
function listSuggestions(finding: Finding, findings: readonly Finding[]): Suggestion[] {
  const { metadata, described, kind } = finding;
  const own = described ? [{ kind, ...described }] : [];
  const sources = [...own, ...findings];
  const suggestions = new Map<string, Suggestion>();
  for (const field of texts.filter((text) => metadata[text] === undefined)) {
    for (const { kind, url, metadata: other } of sources) {
      const value = other[field];
      if (value === undefined) continue;
      const key = JSON.stringify([field, value]);
      if (!suggestions.has(key)) suggestions.set(key, { pointer: `/${field}`, value, url, kind });
    }
  }
  const { tools } = described?.metadata ?? {};
  const isOpen = finding.isUnchecked && kind === "mcp" && tools !== undefined;
  const listed = isOpen
    ? [{ pointer: "/endpoints/0/tools", value: tools, url: described?.url ?? "", kind }]
    : [];
  return [...suggestions.values(), ...listed];
}

const kindNames: Record<FindingKind, string> = {
  metadata: "A service",
  mcp: "An MCP server",
  a2a: "An A2A agent",
  openapi: "A REST API",
  erc8004: "An agent",
  contract: "A contract",
  website: "A website",
};

function describeFinding({ kind, offers }: Finding): string {
  const offered = new Intl.ListFormat("en").format(offers);
  return offered === "" ? `${kindNames[kind]}.` : `${kindNames[kind]} that offers ${offered}.`;
}

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
