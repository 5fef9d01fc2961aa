import {
  checkPublishable,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  MAX_TRAITS,
  type Problem,
} from "@app-registry/sdk";
import { inferInterfaces } from "@app-registry/sdk/internal";
import type { Discovery, Finding, FindingKind } from "./finding.ts";
import { asArray, asObject } from "./read/json.ts";

/** Draft of a service's metadata JSON, made from the findings of a discovery. */
export interface Proposal {
  /** Most likely DID. */
  did?: string;
  /** Version as major.minor.patch; 1.0.0 if no finding has one. */
  version: string;
  /** Interface bits; 0 if no finding has any. */
  interfaces: number;
  metadata: JsonObject;
  /** JSON Pointers of generated texts. They come from the service's capabilities or its address, not from a source. */
  proposed: string[];
  /** Problems that `checkPublishable` reports, and that prevent publishing. */
  missing: Problem[];
}

/** Metadata fields that any finding may fill if the chosen ones lack them. */
const texts = ["name", "description", "publisher", "image", "external_url", "supportUrl"] as const;

/**
 * Combines the chosen findings into one metadata JSON and fills missing texts, icon and publisher from the others. Uses
 * a metadata JSON of the registry unchanged.
 *
 * @param kinds Kinds of findings to use. Default: the first finding only.
 * @example
 * const { interfaces, proposed } = createProposal(await discoverService(mcpUrl, { guardedFetch }));
 * interfaces; // 2
 * proposed; // ["/description", "/publisher"]
 */
export function createProposal(discovery: Discovery, kinds?: readonly FindingKind[]): Proposal {
  const { findings, dids } = discovery;
  const chosen = kinds ? findings.filter(({ kind }) => kinds.includes(kind)) : findings.slice(0, 1);
  const [lead] = chosen;
  const did = dids[0]?.did;
  const interfaces = chosen.reduce((bits, finding) => bits | finding.interfaces, 0);
  const version = chosen.find((finding) => finding.version !== undefined)?.version ?? "1.0.0";
  const made =
    lead === undefined || (lead.kind === "metadata" && chosen.length === 1)
      ? { metadata: lead?.metadata ?? {}, proposed: [] }
      : completeMetadata(chosen, discovery);
  const checked = interfaces || inferInterfaces(made.metadata, did ?? "");
  const missing = checkPublishable(made.metadata, checked, did ?? "");
  return { ...(did === undefined ? {} : { did }), version, interfaces, ...made, missing };
}

function completeMetadata(
  chosen: readonly Finding[],
  discovery: Discovery,
): { metadata: JsonObject; proposed: string[] } {
  const merged = chosen.map(({ metadata }) => metadata).reduce(mergeMetadata);
  const others = discovery.findings.filter((finding) => !chosen.includes(finding));
  const proposed: string[] = [];
  const entries = texts.map((field): [string, JsonValue | undefined] => {
    const said = merged[field] ?? (field === "description" ? undefined : findFirstText(others, field));
    if (said !== undefined) return [field, said];
    const text = proposedText(field, chosen, others, discovery);
    if (text?.isProposed) proposed.push(`/${field}`);
    return [field, text?.text];
  });
  const said = Object.fromEntries(entries.filter(([, text]) => text !== undefined)) as JsonObject;
  return { metadata: { ...said, ...merged }, proposed };
}

const findFirstText = (findings: readonly Finding[], field: string): JsonValue | undefined =>
  findings.find(({ metadata }) => metadata[field] !== undefined)?.metadata[field];

/** Generates the text of a field that no finding provides. */
function proposedText(
  field: (typeof texts)[number],
  chosen: readonly Finding[],
  others: readonly Finding[],
  { input }: Discovery,
): { text: JsonValue; isProposed: boolean } | undefined {
  const host = URL.canParse(input) ? new URL(input).host : "";
  if (field === "publisher" || field === "name")
    return host === "" ? undefined : { text: host, isProposed: true };
  if (field !== "description") return undefined;
  const fromOthers = findFirstText(others, "description");
  if (fromOthers !== undefined) return { text: fromOthers, isProposed: false };
  const lead = chosen[0];
  return lead && { text: describeFinding(lead), isProposed: true };
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

/** Merges two metadata JSONs. Joins endpoints, platforms and traits; for any other field, `first` wins. */
export function mergeMetadata(first: JsonObject, second: JsonObject): JsonObject {
  const traits = [...new Set([...asArray(first.traits), ...asArray(second.traits)])].slice(0, MAX_TRAITS);
  const present = asArray(first.endpoints);
  const isNew = (entry: JsonValue) =>
    !present.some((other) => isJsonObject(other) && isJsonObject(entry) && other.name === entry.name);
  const endpoints = [...present, ...asArray(second.endpoints).filter(isNew)];
  const platforms = { ...asObject(second.platforms), ...asObject(first.platforms) };
  return {
    ...second,
    ...first,
    ...(traits.length > 0 && { traits }),
    ...(endpoints.length > 0 && { endpoints }),
    ...(Object.keys(platforms).length > 0 && { platforms }),
  };
}
