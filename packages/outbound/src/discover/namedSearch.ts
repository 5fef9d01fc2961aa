import { endpointName, Interfaces, InvalidDidError, normalizeDid } from "@app-registry/sdk";
import { findAddressProblem } from "@app-registry/sdk/internal";
import { printable } from "../fetch/guardedFetchError.ts";
import { isSameSite } from "../fetch/hosts.ts";
import { asObject, asObjectArray } from "../import/json.ts";
import { sanitizeMetadata } from "../import/sanitizeMetadata.ts";
import { getSite } from "../site.ts";
import type { DiscoverySession } from "./discoverySession.ts";
import { type Discovery, type Finding, formatFirst, isDocument, MCP_SERVER } from "./finding.ts";
import { type Entry, type FindingList, getFindingKey } from "./findingList.ts";
import { mcpTransport } from "./read/createMcpFinding.ts";
import { type DocumentTexts, describeOtherSite } from "./read/documentTexts.ts";
import {
  fillVariables,
  type NamedAddress,
  type NamedKind,
  toSample,
  type VariableValues,
} from "./read/namedAddresses.ts";

/** Path segments that name a kind of resource rather than a tenant. */
const genericPathSegment = /^(?:mcp|sse|messages?|api|v\d+|a2a|\.well-known|[^.]*\..*)$/i;

/**
 * Suggests DIDs for a service at a URL, the most likely first. Returns none for a host that can't have a DID, such as
 * an IP address.
 *
 * @param given The requested DID, if the person entered one.
 * @example
 * suggestDids(new URL("https://api.example.com/mcp")).map(({ did }) => did);
 * // ["did:web:api.example.com", "did:web:example.com"]
 */
export function suggestDids(url: URL, given?: string): Discovery["dids"] {
  const site = getSite(url.hostname);
  const port = url.port === "" ? "" : `%3A${url.port}`;
  const segments = url.pathname.split("/").filter((segment) => segment !== "");
  while (segments.length > 0 && genericPathSegment.test(segments.at(-1) ?? "")) segments.pop();
  const host = `did:web:${url.hostname}${port}`;
  const candidates: [string | undefined, string][] = [
    [given, "The DID you entered."],
    [host, `Identifies ${url.host}, the host of the service.`],
    [site === null ? undefined : `did:web:${site}`, `Identifies ${site}, the domain of ${url.hostname}.`],
    [
      segments.length === 0 || segments.includes(".well-known") ? undefined : [host, ...segments].join(":"),
      `Identifies only the path ${url.host}/${segments.join("/")}. Choose this if you share the host with others.`,
    ],
  ];
  const dids = new Map<string, string>();
  for (const [candidate, why] of candidates) {
    const did = candidate === undefined ? undefined : canonical(candidate);
    if (did !== undefined && !dids.has(did)) dids.set(did, why);
  }
  return [...dids].map(([did, why]) => ({ did, why }));
}

function canonical(text: string): string | undefined {
  try {
    return normalizeDid(text);
  } catch (error) {
    if (error instanceof InvalidDidError) return undefined;
    throw error;
  }
}

/** Maximum numbers of requests to the addresses that documents name, in total and at a time. */
const MAX_REQUESTS = 8;
const MAX_CONCURRENCY = 2;

const CARD_PATH = ".well-known/agent-card.json";
const NOT_OWN = "It's on another site. If it's yours, enter its address.";

type Search = {
  address: URL;
  variables: VariableValues;
  inquiry: DiscoverySession;
  found: FindingList;
  readDocument: (place: URL, lookedFor: string) => Promise<boolean>;
  readMcp: (place: URL) => Promise<boolean>;
};

/** Document that names addresses, and what it says about their service. */
type NamingDocument = {
  from: URL;
  /** True if another document or a page links to it. */
  isLinked: boolean;
  entry: Entry | undefined;
  texts: DocumentTexts;
  /** True for a server.json, whose texts and authentication belong to each of its addresses. */
  isServerJson?: boolean;
  /** Number of addresses beyond the limit. */
  more?: number;
};

/** Address with the ways in which it is asked. */
type Target = {
  address: NamedAddress;
  filled: ReturnType<typeof fillVariables>;
  isElsewhere: boolean;
  ways: { place: URL; isServer?: boolean }[];
  listed: Entry;
  asked: URL[];
  /** True if one of the ways leads to a service, which may be at another address. */
  isRead: boolean;
  found?: Finding | undefined;
};

/** Requests to the addresses that the documents of one search name. */
export class NamedAddresses {
  readonly #search: Search;
  #left = MAX_REQUESTS;

  constructor(search: Search) {
    this.#search = search;
  }

  /**
   * Requests the addresses that a document names, and records what answers. Records the address alone if nothing does,
   * for a person to choose. A server.json describes its servers, also those that require credentials.
   *
   * @returns Notes about addresses that are not among the findings.
   */
  async use(addresses: readonly NamedAddress[], document: NamingDocument): Promise<string[]> {
    const { from, isLinked, entry, more = 0 } = document;
    const isOwn = !isLinked && from.href === this.#search.address.href;
    const targets = addresses.map((address, index): Target => {
      const filled = fillVariables(address.template, address.variables, this.#search.variables);
      const isElsewhere = filled.url !== undefined && !isSameSite(filled.url, this.#search.address);
      const ways = filled.url && (isOwn || !isElsewhere) ? listWays(address, filled.url) : [];
      const listed = {
        identifier: address.identifier ?? entry?.identifier,
        position: `${entry?.position ?? ""}${1_000 + index}`,
      };
      for (const { place } of ways) this.#search.found.identify(place.href, listed);
      return { address, filled, isElsewhere, ways, listed, asked: [], isRead: false };
    });
    await this.#ask(targets, from);
    const unknown: string[] = [];
    for (const target of targets) {
      if (!target.found && (target.isRead || this.#isEndpoint(target.filled.url))) continue;
      const finding = target.found ?? namedFinding(target.address, target.filled);
      if (!finding) {
        unknown.push(printable(target.address.template));
        continue;
      }
      this.#complete(finding, target, document, isOwn);
      this.#search.found.identify(getFindingKey(finding), target.listed);
      if (!target.found) this.#search.found.add(finding);
    }
    const hasOnlyUnknown = unknown.length > 0 && unknown.length === targets.length;
    const at = `The document at ${printable(from.href)} names`;
    const choice = `${at} ${formatFirst(unknown, 5)}. Enter the one at which your service runs.`;
    return [...(hasOnlyUnknown ? [choice] : []), ...(more > 0 ? [`${at} ${more} more addresses.`] : [])];
  }

  /** Returns true if a service that answered has the address as its endpoint. */
  #isEndpoint(url: URL | undefined): boolean {
    const answered = this.#search.found.all.filter(({ isUnchecked }) => !isUnchecked);
    const endpoints = answered.flatMap(({ metadata }) => asObjectArray(metadata.endpoints));
    return url !== undefined && endpoints.some(({ endpoint }) => endpoint === url.href);
  }

  /** Asks each address in one way before the next way, so that none of them uses up all requests. */
  async #ask(targets: readonly Target[], from: URL): Promise<void> {
    const questions = [0, 1, 2].flatMap((turn) =>
      targets.flatMap((target) => {
        const way = target.ways[turn];
        return way ? [{ target, ...way }] : [];
      }),
    );
    const work = async () => {
      for (let next = questions.shift(); next && this.#left > 0; next = questions.shift()) {
        const { target, place, isServer } = next;
        if (target.isRead) continue;
        this.#left -= 1;
        target.asked.push(place);
        const isRead = await (isServer
          ? this.#search.readMcp(place)
          : this.#search.readDocument(place, `an address in ${from.pathname}`));
        const isFound = ({ url, isUnchecked }: Finding) => url === place.href && !isUnchecked;
        target.found ??= this.#search.found.all.find(isFound);
        target.isRead ||= isRead || target.found !== undefined;
      }
    };
    await Promise.all(Array.from({ length: MAX_CONCURRENCY }, work));
  }

  /** Adds to a finding what the document says about it. What the service itself says wins. */
  #complete(finding: Finding, target: Target, document: NamingDocument, isOwn: boolean): void {
    const { address, filled, isElsewhere, asked, found } = target;
    const { from, isServerJson = false } = document;
    // The texts of a catalog are not those of its entries.
    const texts = address.identifier === undefined ? document.texts : { metadata: {}, notes: [] };
    const reason = isElsewhere && !isOwn ? NOT_OWN : describeSilence(this.#search.inquiry.looked, asked);
    finding.notes = [
      ...(found || isServerJson ? [] : [describeUnchecked(address, from, reason)]),
      ...(!found && isServerJson && filled.url ? [describeServerJson(filled.url, reason)] : []),
      ...(isElsewhere ? [describeOtherSite("The service", finding.url)] : []),
      ...(finding.notes ?? []),
      ...(found?.version ? [] : texts.notes),
    ];
    if (finding.notes.length === 0) delete finding.notes;
    const [did] = isElsewhere && filled.url ? suggestDids(filled.url) : [];
    if (did) finding.did = did.did;
    if (texts.version !== undefined) finding.version ??= texts.version;
    if (isServerJson) describeServer(finding, address, texts);
    else if (Object.keys(texts.metadata).length > 0)
      finding.described = { url: from.href, metadata: texts.metadata };
  }
}

/** Completes the finding of a server with what its server.json says. */
function describeServer(finding: Finding, { authentication }: NamedAddress, texts: DocumentTexts): void {
  const [own = {}] = asObjectArray(finding.metadata.endpoints);
  const all = { ...authentication, ...asObject(own.authentication) };
  const entry = { ...own, ...(Object.keys(all).length > 0 && { authentication: all }) };
  delete finding.isUnchecked;
  finding.metadata = { ...texts.metadata, ...finding.metadata, endpoints: [entry] };
}

const describeServerJson = (url: URL, reason: string): string =>
  `No MCP server responded at ${printable(url.href)}, so the values are only from its server.json. ${reason}`;

/** Returns the reason why nothing answered at the places of an address. */
export function describeSilence(looked: Discovery["looked"], asked: readonly URL[]): string {
  const looks = looked.filter(({ place }) => asked.some(({ href }) => href === place));
  const isRefused = ({ lookedFor, outcome }: (typeof looks)[number]) =>
    lookedFor === MCP_SERVER && outcome === "failed";
  const look = looks.find(isRefused) ?? looks.find(({ reason }) => reason !== undefined);
  return look?.reason ?? "No service answered there.";
}

/** Returns the place of the agent card below a path, where platforms of many agents serve it. */
export function getCardBelow(url: URL): URL {
  const below = new URL(url.origin);
  below.pathname = url.pathname.replace(/\/?$/, `/${CARD_PATH}`);
  return below;
}

/** Lists the ways to ask an address what it is, the most likely first. An agent card may be there, below or beside. */
function listWays({ kind }: NamedAddress, url: URL): Target["ways"] {
  const document = { place: url };
  const server = { place: url, isServer: true };
  if (isDocument.test(url.pathname) || kind === "openapi") return [document];
  if (kind === "mcp") return [server];
  const below = { place: getCardBelow(url) };
  return [document, below, kind === "a2a" ? { place: new URL(`/${CARD_PATH}`, url) } : server];
}

const traits: Record<NamedKind, string> = {
  mcp: "api:mcp",
  a2a: "api:a2a",
  openapi: "api:rest",
  rest: "api:rest",
};

const NO_CARD = "The address of an agent is that of its agent card. Enter it as the endpoint.";
const NO_ADDRESS = "This is only the description of an API. Enter the API's own address as the endpoint.";

/**
 * Creates the finding of an address at which nothing answered. It has the address alone. Returns `undefined` if the kind
 * is unknown, or if the address can't be that of a running service.
 */
export function namedFinding(
  { template, kind, isSse, authentication }: NamedAddress,
  { url, variables }: Target["filled"],
): Finding | undefined {
  if (kind === undefined) return undefined;
  const trait = traits[kind];
  const name = endpointName(trait);
  const isCard = kind !== "a2a" || /card|\.json$/i.test(template);
  if (findAddressProblem(url?.href ?? toSample(template), kind === "openapi" ? "" : name)) return undefined;
  const address = url && {
    ...(kind === "openapi" ? { schemaUrl: url.href } : isCard && { endpoint: url.href }),
    ...(kind === "mcp" && { transport: mcpTransport(isSse ? "sse" : "streamable-http", url.href) }),
  };
  return {
    kind: kind === "rest" ? "openapi" : kind,
    url: url?.href ?? template,
    interfaces: Interfaces.Api,
    offers: [],
    isUnchecked: true,
    ...(variables.length > 0 && { variables }),
    metadata: sanitizeMetadata({ traits: [trait], endpoints: [{ name, ...address, authentication }] }),
    notes: [...(isCard ? [] : [NO_CARD]), ...(kind === "openapi" ? [NO_ADDRESS] : [])],
  };
}

/** Says that nothing was checked, and why. */
const describeUnchecked = ({ field }: NamedAddress, from: URL, reason: string): string =>
  `Named in the document at ${printable(from.href)} (${printable(field, 100)}); nothing was checked. ${reason}`.trim();
