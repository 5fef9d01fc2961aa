import { isIP } from "node:net";
import {
  endpointName,
  formatVersion,
  InvalidVersionError,
  type JsonObject,
  type JsonValue,
  parseVersionSelector,
} from "@app-registry/sdk";
import { printable } from "../../fetch/guardedFetchError.ts";
import { isLoopbackHost, isPublicAddress, isSameSite } from "../../fetch/hosts.ts";
import { asArray, asObject, asObjectArray, asString, camelCase, compact } from "../../import/json.ts";
import { pickFirstValid, sanitizeMetadata } from "../../import/sanitizeMetadata.ts";
import { formatFirst } from "../finding.ts";

/** Document that describes a service, with words for both. */
type Source = { document: string; service: string; url: string };

/** Returns true if others can't reach an address that a document lists. A document on a loopback host may list any. */
export const isUnreachable = (address: string, documentUrl: string): boolean =>
  !isLoopbackHost(new URL(documentUrl).hostname) && isPrivate(address);

/**
 * Notes which texts that a document lists can't be the public address of a running service, and that none of the
 * others is on the site of the document.
 */
export function noteAddresses(
  { document, service, url }: Source,
  addresses: readonly string[],
  refused: readonly string[],
): string[] {
  const wrong = refused.map((text) => `"${printable(text, 200)}"`);
  const what = wrong.length === 1 ? "isn't the public address" : "aren't public addresses";
  const others = addresses.filter((address) => parseAddress(address) && !isPrivate(address));
  const isOwn = others.some((address) => isSameSite(parseAddress(address) as URL, new URL(url)));
  return [
    ...(wrong.length > 0
      ? [
          `${document} names ${formatFirst(wrong)}, which ${what} of a running service. Enter its own address.`,
        ]
      : []),
    ...(others[0] === undefined || isOwn ? [] : [describeOtherSite(service, others[0])]),
  ];
}

export const describeOtherSite = (service: string, address: string): string =>
  `${service} is on another site, at ${printable(address)}. Only its controller can register it.`;

/** Returns the first valid website, which is not on the computer or network of its author. */
export const pickWebsite = (candidates: readonly (JsonValue | undefined)[]): JsonValue | undefined =>
  pickFirstValid(
    "external_url",
    candidates.filter((candidate) => !isPrivate(asString(candidate) ?? "")),
  );

/** Parses an address, with or without a scheme (gRPC), as http, so that the host of any scheme is normalized. */
function parseAddress(address: string): URL | undefined {
  const href = `http://${address.replace(/^[a-z][a-z0-9+.-]*:\/\//i, "")}`;
  return URL.canParse(href) ? new URL(href) : undefined;
}

function isPrivate(address: string): boolean {
  const host = parseAddress(address)?.hostname.replace(/^\[|\]$|\.$/g, "");
  if (host === undefined) return false;
  if (isIP(host) !== 0) return !isPublicAddress(host);
  return isLoopbackHost(host) || !host.includes(".") || /\.(?:local|internal)$/.test(host);
}

/** Parts of a document that describe the same service as the document. */
const parts = ["serverInfo", "server", "service", "agent", "info", "metadata"];

/** Fields of any document by the field of the metadata JSON that they are usual for. */
const aliases = {
  name: ["title", "displayName", "nameForHuman", "name", "serviceName", "nameForModel"],
  description: ["description", "descriptionForHuman", "summary", "tagline"],
  publisher: ["publisher", "vendor", "provider", "author", "organization", "company"],
  external_url: ["websiteUrl", "homepage", "website", "documentationUrl"],
  image: ["iconUrl", "logoUrl", "icon", "logo", "image", "icons"],
  version: ["version", "serverVersion"],
};

/** Texts of a document about its service. */
export type DocumentTexts = { metadata: JsonObject; version?: string; notes: string[] };

/**
 * Reads name, description, version and the like in any document, from its own fields or those one level below, and the
 * tools of a card.
 */
export function readDocumentTexts(document: JsonObject): DocumentTexts {
  const own = camelCase(document);
  const all = [own, ...parts.map((part) => camelCase(asObject(own[part])))];
  const list = (field: keyof typeof aliases): JsonValue[] =>
    all.flatMap((part) =>
      compact(aliases[field].map((alias) => part[alias])).flatMap((value) => {
        const { organization, name, src } = asObject(Array.isArray(value) ? value[0] : value);
        return compact([value, organization, name, src]);
      }),
    );
  const firstText = (field: keyof typeof aliases) =>
    list(field).find((value) => asString(value) !== undefined);
  const written = firstText("version");
  const version = normalizeVersion(written);
  const tools = readTools(document);
  const texts = sanitizeMetadata({
    name: pickFirstValid("name", list("name")) ?? firstText("name"),
    description: firstText("description"),
    publisher: pickFirstValid("publisher", list("publisher")),
    external_url: pickWebsite(list("external_url")),
    image: pickFirstValid("image", list("image")),
  });
  return {
    metadata: { ...texts, ...(tools !== undefined && { tools }) },
    ...(version !== undefined && { version }),
    notes: asString(written) !== undefined && !version ? [describeUnusableVersion(String(written))] : [],
  };
}

/** Returns the tools that a card defines, or `undefined` if it has none or a definition is incomplete. */
function readTools(document: JsonObject): JsonValue | undefined {
  const tools = asObjectArray(document.tools).map(camelCase);
  if (tools.length === 0) return undefined;
  const { endpoints } = sanitizeMetadata({ endpoints: [{ name: endpointName("api:mcp"), tools }] });
  const kept = asArray(asObjectArray(endpoints)[0]?.tools);
  // An incomplete list would say that the server offers nothing else.
  return kept.length === asArray(document.tools).length ? kept : undefined;
}

/**
 * Converts a version to major.minor.patch. Returns `undefined` if it has other parts or one above 255.
 * @example
 * normalizeVersion("v1.2"); // "1.2.0"
 */
export function normalizeVersion(text: unknown): string | undefined {
  if (typeof text !== "string") return undefined;
  try {
    const { major, minor = 0, patch = 0 } = parseVersionSelector(text.trim().replace(/^v/i, ""));
    return formatVersion({ major, minor, patch });
  } catch (error) {
    if (error instanceof InvalidVersionError) return undefined;
    throw error;
  }
}

/** Explains that a document's version can't be that of a record. */
export const describeUnusableVersion = (version: string): string =>
  `The document's version, "${printable(version)}", isn't major.minor.patch with numbers from 0 to 255. ` +
  "Choose the version to publish yourself.";
