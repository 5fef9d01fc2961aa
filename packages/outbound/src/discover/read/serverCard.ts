import {
  endpointName,
  Interfaces,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  MAX_URL_LENGTH,
} from "@app-registry/sdk";
import { capabilityLists } from "@app-registry/sdk/internal";
import { printable } from "../../fetch/printable.ts";
import { ImportError } from "../../import/importError.ts";
import type { Finding, UrlVariable } from "../finding.ts";
import { isSameSite } from "../isSameSite.ts";
import { formatCount, formatFirst } from "../labels.ts";
import { normalizeVersion } from "../normalizeVersion.ts";
import { pickFirstValid, sanitizeMetadata } from "../sanitizeMetadata.ts";
import { AGENT_CARD_PATH } from "../wellKnownLocations.ts";
import { mcpTransport } from "./createMcpFinding.ts";
import { asArray, asObject, asObjectArray, asString, camelCase, compact } from "./json.ts";
import { noteNamedAddresses } from "./namedAddresses.ts";
import { noteUnusable, pickWebsite } from "./privateAddresses.ts";
import { toServerAuthentication } from "./serverAuthentication.ts";
import { isUnfilled, listPlaceholders, sampleUrl } from "./urlVariables.ts";

/** MCP server that a document describes. */
export type DescribedServer = {
  card: JsonObject;
  /** URL, with variables as in `https://{tenant}.example.com/mcp`. A card may lack it. */
  template?: string;
  /** The URL itself, once each variable has a value. */
  url?: URL | undefined;
  transport: "streamable-http" | "sse";
  variables: UrlVariable[];
  authentication: JsonObject;
  notes: string[];
  /** Sentence that explains why the server can't be registered from here. */
  problem?: string;
};

/** Maximum number of entries of each list, of addresses of one server, and of variables of one address. */
const MAX_ENTRIES = 100;
const MAX_REMOTES = 10;
const MAX_VARIABLES = 20;

/** Fields with the URL of a server, the most specific first. */
const addressFields = "mcpUrl,mcpEndpoint,mcpServer,endpointUrl,serverUrl,endpoint,url".split(",");

/** Fields that mark a document with a URL as one of an MCP server. */
const serverFields = "transport,transports,tools,mcpVersion,mcpUrl,mcpEndpoint,mcpServer".split(",");

/** Keys of the transports of an MCP server. */
const transportNames = /^(?:mcp|sse|https?|json-?rpc|streamable-?http)$/i;

/**
 * Reads the descriptions of MCP servers in a document: a server card (SEP-2127, SEP-1649), the MCP registry's
 * server.json, alone or as its API returns it, or a list of servers. Returns `undefined` for another document.
 * Servers that can't be registered come last.
 * @throws {ImportError} if none of the servers can be registered from this document, with the reasons.
 */
export function readServerCards(document: JsonObject, documentUrl: string): DescribedServer[] | undefined {
  const { pathname } = new URL(documentUrl);
  const isAgent = "skills" in document || "supportedInterfaces" in document || AGENT_CARD_PATH.test(pathname);
  if (isAgent) return undefined;
  const { servers, mcpServers, ...outer } = camelCase(document);
  const list = servers ?? mcpServers;
  const isWellKnown = pathname.includes("/.well-known/");
  // Elsewhere, servers by name without a name of their own are the configuration of a client.
  if (isJsonObject(list) && outer.name === undefined && !isWellKnown) return undefined;
  // The key of a single server is its name only if the card has none.
  const isOne = Object.keys(asObject(list)).length === 1;
  const entries = listEntries(list, isOne ? outer.name : undefined).filter(isLatest);
  const cards = entries.length > 1 ? entries : [{ ...outer, ...entries[0] }];
  const isMcpPlace = /mcp/i.test(pathname);
  const local: JsonObject[] = [];
  const found = cards.flatMap((written) => {
    const { server, ...rest } = camelCase(written);
    const card = { ...camelCase(asObject(rest.serverInfo)), ...camelCase(asObject(server)), ...rest };
    const remotes = listRemotes(card, documentUrl);
    const isCard =
      Array.isArray(card.remotes) ||
      isJsonObject(card.serverInfo) ||
      asObjectArray(card.packages).some((entry) => "registryType" in camelCase(entry)) ||
      (isWellKnown && isMcpPlace && asString(card.name) !== undefined && Array.isArray(card.tools)) ||
      (remotes.length > 0 &&
        (serverFields.some((field) => field in card) ||
          (isMcpPlace && (entries.length > 0 || card.url === undefined))));
    if (!isCard) {
      local.push(card);
      return [];
    }
    return remotes.length > 0 ? remotes : [describeServer(card, {}, documentUrl)];
  });
  if (found.length === 0) {
    const [problem] = entries.length > 0 ? compact(local.map(describePackages)) : [];
    if (problem !== undefined) throw new ImportError("mcp-unreadable", problem);
    return undefined;
  }
  const [usable, others] = [found.filter(({ problem }) => !problem), found.filter(({ problem }) => problem)];
  const [first] = usable;
  const names = formatFirst(local.map(getName).filter(Boolean), 5);
  if (first && names !== "")
    first.notes.push(`The card also lists servers without an address, which were left out: ${names}.`);
  if (first) return [...usable, ...others];
  const problems = new Set(others.map(({ problem }) => problem));
  throw new ImportError("mcp-unreadable", [...problems].slice(0, 5).join(" "));
}

/** Returns false for an older version or a deleted server in a list of the MCP registry. */
function isLatest({ _meta }: JsonObject): boolean {
  const official = asObject(asObject(_meta)["io.modelcontextprotocol.registry/official"]);
  return official.isLatest !== false && official.status !== "deleted";
}

const getName = ({ title, displayName, name }: JsonObject): string =>
  printable(asString(title) ?? asString(displayName) ?? asString(name) ?? "", 100);

/** Returns the objects in a list, or in an object by name. `given` replaces those names. */
function listEntries(value: JsonValue | undefined, given?: JsonValue): JsonObject[] {
  if (Array.isArray(value)) return asObjectArray(value.slice(0, MAX_ENTRIES)).map(camelCase);
  return Object.entries(asObject(value))
    .slice(0, MAX_ENTRIES)
    .flatMap(([name, entry]) => (isJsonObject(entry) ? [{ name: given ?? name, ...camelCase(entry) }] : []));
}

function listRemotes(card: JsonObject, documentUrl: string): DescribedServer[] {
  const field = addressFields.find((key) => asString(card[key]) !== undefined);
  const groups = [
    ...[card.remotes, card.transports, card.transport, card.endpoints].map(listTargets),
    field === undefined ? [] : [{ type: card.transport ?? "", url: card[field] ?? "" }],
  ].map((targets) =>
    targets
      .map((target) => describeServer(card, target, documentUrl))
      .filter(({ template, problem }) => template ?? problem),
  );
  const remotes = groups.find((group) => group.length > 0) ?? [];
  const current = remotes.filter(({ transport }) => transport !== "sse");
  return current.length > 0 ? current : remotes;
}

/** Lists the objects with the URL of a server in a list, in an object, or in an object by transport. */
function listTargets(value: JsonValue | undefined): JsonObject[] {
  if (Array.isArray(value)) return listEntries(value.slice(0, MAX_REMOTES));
  const target = camelCase(asObject(value));
  if (asString(target.url ?? target.endpoint) !== undefined) return [target];
  return Object.entries(target)
    .filter(([type]) => transportNames.test(type))
    .map(([type, found]) => ({ type, ...(isJsonObject(found) ? camelCase(found) : { url: found }) }));
}

function describeServer(card: JsonObject, target: JsonObject, documentUrl: string): DescribedServer {
  const { authentication, notes } = toServerAuthentication(card, target);
  const inputs = asObject(target.variables);
  const isSecret = (name: string) => camelCase(asObject(inputs[name])).isSecret === true;
  // A record is public, so a secret in the query becomes an authentication.
  const written = asString(target.url ?? target.endpoint) ?? "";
  const short = written.length > MAX_URL_LENGTH ? "" : written.replace(/<([\w.-]{1,64})>/g, "{$1}");
  const url = short.replace(
    /([?&])([\w.-]+)=\{([\w.-]+)\}/g,
    (parameter, separator: string, name: string, variable: string) => {
      if (!isSecret(variable)) return parameter;
      authentication.apiKey ??= { in: "query", name };
      return separator;
    },
  );
  const template = toTemplate(url.replace(/(?<![?&])[?&]+$/, "").replace("?&", "?"), documentUrl);
  const names = listPlaceholders(template ?? "").slice(0, MAX_VARIABLES);
  const type = asString(target.type ?? target.transportType ?? target.transport) ?? "";
  const problem = isUnfilled(url)
    ? noteUnusable("The server card", [url])[0]
    : findProblem(card, template, names.find(isSecret));
  return {
    card,
    transport: /^sse$/i.test(type) ? "sse" : "streamable-http",
    variables: names.map((name) => toVariable(name, camelCase(asObject(inputs[name])))),
    authentication,
    notes,
    ...(template !== undefined && { template }),
    ...(problem !== undefined && { problem }),
  };
}

/** Resolves a URL with variables. Returns `undefined` if it is not a web address. */
export function toTemplate(url: string, documentUrl: string): string | undefined {
  if (isUnfilled(url)) return undefined;
  if (/^(?:https?:\/\/[^/\s{]*)?\{\S+$/i.test(url)) return url;
  const resolved = /^\S+$/.test(url) && URL.canParse(url, documentUrl) ? new URL(url, documentUrl).href : "";
  return /^https?:/.test(resolved) ? resolved.replace(/%7B([\w.-]+)%7D/gi, "{$1}") : undefined;
}

/** Explains why a server can't be registered from a document. */
function findProblem(card: JsonObject, template: string | undefined, secret?: string) {
  if (secret !== undefined) {
    return `The server's address contains the secret "${secret}", and a record is public. Enter an address without it.`;
  }
  return template !== undefined || isJsonObject(card.serverInfo) ? undefined : describePackages(card);
}

/** Explains that a server is only a package to install. Returns `undefined` if the card names no package. */
function describePackages(card: JsonObject): string | undefined {
  if (!Array.isArray(card.packages) && asString(card.package ?? card.installCommand) === undefined)
    return undefined;
  const what = getName(card) && ` ${getName(card)}`;
  const transports = asObjectArray(card.packages).map(({ transport }) => asObject(transport).type ?? "stdio");
  const instead = transports.every((type) => type === "stdio")
    ? "A program on its user's computer has none and can't be registered. If the server also runs at a URL, enter that URL."
    : "Run the server yourself and enter its address.";
  return `This lists packages to install${what}, but no server with an address. ${instead}`;
}

export function toVariable(name: string, input: JsonObject): UrlVariable {
  const toText = (value: JsonValue = "") =>
    typeof value === "object" || value === "" ? undefined : String(value).slice(0, 500);
  const description = asString(input.description);
  const choices = compact(asArray(input.choices).slice(0, MAX_ENTRIES).map(toText));
  const [initial, value = initial] = [toText(input.default), toText(input.value)];
  return {
    name,
    isRequired: value === undefined,
    ...(description !== undefined && { description: printable(description, 300) }),
    ...(initial !== undefined && { default: initial }),
    ...(choices.length > 0 && { choices }),
    ...(value !== undefined && { value }),
  };
}

/**
 * Returns the URL of a server with its variables, and `address` or, for a server on another site, a URL of that site.
 * A card without a URL describes the server beside it, or the one at the conventional path.
 */
export function locateServer(
  { template: written }: DescribedServer,
  document: URL,
  address: URL,
): { template: string; site: URL } {
  const path = document.pathname.replace(/^.*\/\.well-known\/.*|\/server-card$|\/[^/]*\.json$/, "") || "/mcp";
  const template = written ?? new URL(path, document).href;
  const sample = sampleUrl(template) ?? address;
  return { template, site: isSameSite(sample, address) ? address : sample };
}

/** Lists the URLs of further cards that an index of servers names on its own host. */
export const listCardLinks = (servers: readonly DescribedServer[], document: URL): string[] =>
  servers.flatMap(({ card: { card } }) => {
    const link = asString(card) ?? "";
    return URL.canParse(link, document.href) && new URL(link, document).host === document.host ? link : [];
  });

/** Removes members such as `$comment` and `_meta`, which are not data. */
const removeComments = (entry: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(entry).filter(([key]) => !/^[$_]/.test(key)));

/**
 * Creates the finding of an MCP server from its card. What the server itself says wins.
 *
 * @param document URL of the card.
 * @param live Finding of the server itself, if it can be read.
 */
export function serverCardFinding(server: DescribedServer, document: URL, live?: Finding): Finding {
  const { card, template, url, transport, variables } = server;
  const version = live?.version ?? normalizeVersion(card.version);
  const [own = {}] = asObjectArray(live?.metadata.endpoints);
  const written = ("tools" in own ? [] : capabilityLists).flatMap(({ list, kind }) => {
    const declared = asObject(card.capabilities)[list];
    const listed =
      card[list] ??
      (Array.isArray(declared) ? declared : Object.values(asObject(declared)).flatMap(asObjectArray));
    // Some cards list them by name or by group.
    const grouped = () => [...listEntries(listed), ...Object.values(asObject(listed)).flatMap(asArray)];
    const entries = Array.isArray(listed) ? listed : grouped();
    return entries.length > 0
      ? [{ list, kind, entries: entries.map((entry) => camelCase(asObject(entry))) }]
      : [];
  });
  const publishers = [card.publisher, card.vendor].map((one) => (isJsonObject(one) ? one.name : one));
  const icons = asObjectArray(card.icons).map(({ src }) => src);
  const authentication = { ...server.authentication, ...asObject(own.authentication) };
  // Beside a more specific address, `url` is that of the website.
  const isPage = template !== undefined && toTemplate(asString(card.url) ?? "", document.href) !== template;
  const metadata = sanitizeMetadata({
    name: pickFirstValid("name", [card.title, card.displayName, card.name]),
    description: asString(card.description),
    publisher: pickFirstValid("publisher", publishers),
    external_url: pickWebsite([
      card.websiteUrl,
      card.homepage,
      card.website,
      card.documentationUrl,
      isPage ? card.url : undefined,
    ]),
    image: pickFirstValid("image", [...icons, card.iconUrl, card.icon]),
    traits: ["api:mcp"],
    packages: Array.isArray(card.packages) ? listEntries(card.packages).map(removeComments) : undefined,
    ...live?.metadata,
    endpoints: [
      {
        name: endpointName("api:mcp"),
        ...(url !== undefined && { endpoint: url.href, transport: mcpTransport(transport, url.href) }),
        instructions: asString(card.instructions),
        ...Object.fromEntries(written.map(({ list, entries }) => [list, entries])),
        ...own,
        authentication: Object.keys(authentication).length > 0 ? authentication : undefined,
      },
    ],
  });
  const entry = asObject(asArray(metadata.endpoints)[0]);
  const incomplete = written.filter(({ list, entries }) => asArray(entry[list]).length < entries.length);
  // An incomplete list would say that the server offers nothing else.
  for (const { list } of incomplete) delete entry[list];
  const offers = written.filter((listed) => !incomplete.includes(listed));
  const left = incomplete.map(({ kind, entries }) => {
    const what = kind === "tool" ? "an input schema for each" : "a complete definition of each";
    return `The server card names ${formatCount(entries, kind)} without ${what}, so the ${kind}s are left out.`;
  });
  const addresses = [server.template, url?.href, ...addressFields.map((field) => card[field])];
  const notes = [
    ...new Set([...(live?.notes ?? []), ...server.notes, ...left, ...noteNamedAddresses(card, addresses)]),
  ];
  return {
    kind: "mcp",
    url: url?.href ?? template ?? document.href,
    interfaces: Interfaces.Api,
    ...(version !== undefined && { version }),
    offers:
      offers.length > 0
        ? offers.map(({ kind, entries }) => formatCount(entries, kind))
        : (live?.offers ?? []),
    ...(variables.length > 0 && { variables }),
    ...(notes.length > 0 && { notes }),
    metadata,
  };
}
