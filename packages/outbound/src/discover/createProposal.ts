import type { JsonObject, JsonValue } from "@app-registry/sdk";
import type { Discovery, Finding, FindingKind } from "./finding.ts";

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
