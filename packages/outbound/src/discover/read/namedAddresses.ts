import { isJsonObject, type JsonObject, type JsonValue, MAX_URL_LENGTH } from "@app-registry/sdk";
import { findAddressProblem } from "@app-registry/sdk/internal";
import { printable } from "../../fetch/guardedFetchError.ts";
import { isSameSite } from "../../fetch/hosts.ts";
import { asObject, asString, asStringArray } from "../../import/json.ts";
import type { UrlVariable } from "../finding.ts";
import { isUnreachable } from "./documentTexts.ts";

export type VariableValues = Readonly<Record<string, string>>;

const placeholder = /\{([\w.-]{1,64})\}/g;

/** Maximum number of variables of one address. */
const MAX_VARIABLES = 20;

/** Resolves a URL with variables, as in `https://{tenant}.example.com`. Returns `undefined` if it isn't a web address. */
export function toTemplate(url: string, documentUrl: string): string | undefined {
  if (/^(?:https?:\/\/[^/\s{]*)?\{\S+$/i.test(url)) return url;
  const resolved = /^\S+$/.test(url) && URL.canParse(url, documentUrl) ? new URL(url, documentUrl).href : "";
  return /^https?:/.test(resolved) ? resolved.replace(/%7B([\w.-]+)%7D/gi, "{$1}") : undefined;
}

/** Returns a template with a letter for each variable, to check the rest of the address. */
export const toSample = (template: string): string => template.replace(placeholder, "x");

/** Lists the variables of a URL, with what the document says about each: description, default and allowed values. */
export function listVariables(template: string, inputs: JsonObject): UrlVariable[] {
  const names = new Set(Array.from(template.matchAll(placeholder), ([, name = ""]) => name));
  return [...names].slice(0, MAX_VARIABLES).map((name) => {
    const input = asObject(Object.hasOwn(inputs, name) ? inputs[name] : undefined);
    const choices = asStringArray(input.enum ?? input.choices);
    const allowed = choices.length > 0 && `One of: ${choices.slice(0, 20).join(", ")}.`;
    const description = [asString(input.description), allowed].filter(Boolean).join(" ");
    const value = String(input.value ?? input.default ?? "").slice(0, 500);
    return {
      name,
      ...(description !== "" && { description: printable(description, 300) }),
      // Leave out a text that asks for a value.
      ...(value !== "" && !/[<>{}]|YOUR_/.test(value) && { value }),
    };
  });
}

/** Values in the host of a URL, of a variable that starts a URL, and anywhere else. */
const host = /^[\w.-]+(?::\d+)?$/;
const start = /^https?:\/\/[\w.-]+(?::\d+)?(?:\/[\w~+=,-][\w.~+=,-]*)*$/i;
const path = /^(?!(?:.*\/)?\.{1,2}(?:\/|$))[\w.~+=,/-]+$/;

/**
 * Fills variables into a URL, with the given values or those of the variables. Only a variable in the host can change
 * the host. Returns no URL if one has no value or one that can't be a part of a URL, and leaves out such values.
 */
export function fillVariables(
  template: string,
  variables: readonly UrlVariable[],
  given: VariableValues,
): { url: URL | undefined; variables: UrlVariable[] } {
  const [origin = ""] = /^[^/?#]*(?:\/\/[^/?#]*)?/.exec(template) ?? [];
  const values = new Map<string, string>();
  const filled = variables.map(({ value, ...variable }) => {
    const { name } = variable;
    const used = Object.hasOwn(given, name) ? given[name] : value;
    const isStart = template.startsWith(`{${name}}`);
    const allowed = isStart ? start : origin.includes(`{${name}}`) ? host : path;
    if (used === undefined || !allowed.test(used)) return variable;
    values.set(name, used);
    return { ...variable, value: used };
  });
  const text = template.replace(placeholder, (_, name: string) => values.get(name) ?? "{");
  const isWhole = values.size === variables.length && !origin.includes("@") && URL.canParse(text);
  return { url: isWhole ? new URL(text) : undefined, variables: filled };
}

/** Kind of a service: an MCP server, an A2A agent, an API by its OpenAPI document, or another API by its URL. */
export type NamedKind = "mcp" | "a2a" | "openapi" | "rest";

export type NamedAddress = {
  /** URL, with variables as in `https://{tenant}.example.com/mcp`. */
  template: string;
  variables: UrlVariable[];
  kind: NamedKind | undefined;
  /** Field that names it, such as `endpoints.mcp`. */
  field: string;
  /** Identifier of the entry of a catalog that names it. */
  identifier?: string | undefined;
  /** Parts that a server.json declares: the transport, if it is the older one, and the authentication. */
  isSse?: boolean;
  authentication?: JsonObject;
};

/** Addresses that a document names, the number of others, those that others can't reach, and documents inside it. */
export type ListedAddresses = {
  addresses: NamedAddress[];
  more: number;
  unreachable: string[];
  inside: { document: JsonObject; identifier: string | undefined }[];
};

/** Maximum numbers of addresses or documents to list, of values to visit, and of nested values. */
const MAX_ADDRESSES = 20;
const MAX_VALUES = 20_000;
const MAX_DEPTH = 8;

/** Kinds by the words of a field, or of a `type` or a similar field beside it. The first match wins. */
const kindWords: [kind: NamedKind | "other", words: RegExp][] = [
  ["openapi", /open_?-?api|swagger|service-desc|api_?spec/i],
  [
    "other",
    /schema|context|^icon|logo|image|avatar|banner|screenshot|licen[cs]e|repository|^(?:repo|source|status|health|install)|home_?page|web_?site|docs?$|documentation|service-doc|terms|privacy|policy|legal|contact|support(?!ed)|social|twitter|github|discord|telegram|^provider|author|publisher|organi[sz]ation|^owner|oauth|auth$|authentication|token|jwks|issuer|example|input|output|param|^registrations?$|changelog|dashboard|sign_?up|pricing|blog|redirect/i,
  ],
  ["mcp", /mcp|^sse$|streamable|server_?card/i],
  ["a2a", /a2a|agent_?-?card/i],
  [
    "rest",
    /^(?:rest|https?[-_]?api|api|api[-_]?(?:base|endpoint|root|url).*|base_?url|graphql|x402|resources?)$/i,
  ],
];

const kindPaths: [kind: NamedKind, path: RegExp][] = [
  ["openapi", /(?:openapi|swagger)[^/]*\.(?:json|ya?ml)$|\/api-docs\b/i],
  ["a2a", /\/agent(?:-card)?\.json$|\/a2a\b/i],
  ["mcp", /\/(?:mcp|sse)\b|\bmcp\b/i],
  ["rest", /\/api(?![\w-])|\/v\d+(?:\/|$)/i],
];

/** Fields whose values may be relative URLs. */
const addressFields = /anchor|url|uri|href|endpoint|link|mcp|a2a|open_?api|swagger|card|^sse$|^http$/i;

/** URLs that are known not to be services: pages, formats, pictures, social media, sign-in, paths with parameters. */
const otherUrls =
  /^https?:\/\/(?:www\.)?(?:(?:[\w-]+\.)?(?:w3|schema|json-schema|spdx|opensource|creativecommons|ogp|ietf)\.org|eips\.ethereum\.org|(?:[\w-]+\.)*modelcontextprotocol\.io|a2a-protocol\.org|agentsjson\.org|(?:x|twitter|linkedin|facebook|youtube|medium|discord|instagram)\.com|t\.me|discord\.gg|docs?\.|blog\.)|\.(?:png|jpe?g|svg|gif|ico|webp|pdf|css|js|mp4|zip|tgz|html?|txt|md|xml|rss)(?:[?#]|$)|\/(?:oauth2?|authorize|token|login|signup)\/?(?:[?#]|$)|\/\.well-known\/(?:oauth|openid|jwks)|\/:[a-z]/i;
const pages = /\/(?:docs?|documentation|blog|guides?|pricing|terms|privacy)(?:\/|$)/i;

/** Words for trials, in the host or the description of an address. */
const trial = /\b(?:sandbox|stag(?:e|ing)|te?st|testing|dev|development|mock|uat|qa)\b/i;

/** Returns true if the texts about an address say that it is for trying a service out. */
export const isTrial = (...texts: (string | undefined)[]): boolean =>
  texts.some((text = "") => trial.test(text)) && !texts.some((text = "") => /\bpro?d/i.test(text));

const findKind = (text: string) => kindWords.find(([, words]) => words.test(text))?.[0];

/** Fields beside an address that say what it is. */
const siblingFields = [
  "type",
  "transport",
  "protocol",
  "protocolBinding",
  "rel",
  "kind",
  "mediaType",
  "name",
];

const findSiblingKind = (object: JsonObject) => {
  for (const field of siblingFields) {
    const text = asString(object[field]) ?? "";
    // A name is any text, so only the word itself counts.
    const kind = field === "name" && !/^[\w-]{2,12}$/.test(text) ? undefined : findKind(text);
    if (kind !== undefined && (kind !== "other" || field === "rel")) return kind;
  }
  return undefined;
};

/**
 * Lists the addresses in any JSON document that may be those of services, the most likely first: at most 20, and the
 * number of the others. The nearest field decides on the kind of an address, then its path, then the document.
 *
 * @param isDocument Returns true for an object that describes a service. Its addresses are not listed.
 */
export function listAddresses(
  document: JsonObject,
  url: string,
  isDocument: (value: JsonObject) => boolean = () => false,
): ListedAddresses {
  const isCard =
    isJsonObject(document.serverInfo) || (Array.isArray(document.tools) && !Array.isArray(document.skills));
  const isMcp = isCard || /mcp|server-card/i.test(new URL(url).pathname);
  const found = new Map<string, NamedAddress & { rank: string }>();
  const inside: ListedAddresses["inside"] = [];
  const unreachable: string[] = [];
  let values = 0;
  const consider = (text: string, path: readonly string[], parent: JsonObject, identifier?: string) => {
    const last = path.at(-1) ?? "";
    const [, method, written = ""] = /^(?:(GET|POST|PUT|PATCH|DELETE) )?(\S+)$/.exec(text.trim()) ?? [];
    const isRelative =
      /^\.{0,2}\/(?!\/)/.test(written) && path.slice(-2).some((key) => addressFields.test(key));
    if (written.length > MAX_URL_LENGTH || !(/^https?:\/\//i.test(written) || isRelative)) return;
    const template = toTemplate(written.replace(/<([\w.-]{1,64})>/g, "{$1}"), url);
    const sample = toSample(template ?? "");
    if (template === undefined || !URL.canParse(sample) || otherUrls.test(sample)) return;
    const { href, hostname, pathname, search } = new URL(sample);
    const near = [findKind(last), findSiblingKind(parent), ...path.slice(0, -1).toReversed().map(findKind)];
    const named = method === undefined ? near.find((kind) => kind !== undefined) : "rest";
    const [byPath] =
      kindPaths.find(([, pattern]) =>
        pattern.test(hostname.replace(/^mcp\..*/, "/mcp") + pathname + search),
      ) ?? [];
    const isEndpoint =
      pathname === "/" ? /endpoint|transport|remote/i : /^url$|endpoint|server|remote|https?/i;
    const isAnchor = last === "anchor" && Object.hasOwn(parent, "service-desc");
    const isServer = isMcp && path.some((key) => isEndpoint.test(key));
    const byDocument = isServer ? "mcp" : isAnchor ? "rest" : undefined;
    const kind = named ?? byPath ?? byDocument;
    if (kind === "other" || (kind !== "openapi" && pages.test(pathname))) return;
    if (findAddressProblem(href) !== undefined || href === url) return;
    if (isUnreachable(href, url)) return void unreachable.push(href);
    const rank = [
      kind === undefined ? 2 : kind === "rest" ? 1 : 0,
      named !== undefined ? 0 : byPath !== undefined ? 1 : 2,
      isTrial(hostname, asString(parent.description)) ? 1 : 0,
      isSameSite(new URL(href), new URL(url)) ? 0 : 1,
      path.length,
      String(found.size).padStart(6, "0"),
    ].join(" ");
    const known = found.get(template);
    if (known && known.rank <= rank) return;
    const variables = listVariables(template, {});
    found.set(template, { template, variables, kind, field: path.join("."), identifier, rank });
  };
  const visit = (value: JsonValue, path: string[], parent: JsonObject, identifier?: string): void => {
    if (++values > MAX_VALUES || path.length > MAX_DEPTH) return;
    if (typeof value === "string") consider(value, path, parent, identifier);
    else if (Array.isArray(value)) for (const item of value) visit(item, path, parent, identifier);
    else if (isJsonObject(value)) {
      const object = value as JsonObject;
      if (path.length === 0 || !isDocument(object)) {
        const own = asString(object.identifier) ?? identifier;
        for (const [key, inner] of Object.entries(object)) visit(inner, [...path, key], object, own);
      } else if (inside.length < MAX_ADDRESSES) inside.push({ document: object, identifier });
    }
  };
  visit(document, [], document);
  const sorted = [...found.values()].toSorted((one, other) => (one.rank < other.rank ? -1 : 1));
  const addresses = sorted.slice(0, MAX_ADDRESSES).map(({ rank: _, ...address }) => address);
  return { addresses, more: sorted.length - addresses.length, unreachable, inside };
}
