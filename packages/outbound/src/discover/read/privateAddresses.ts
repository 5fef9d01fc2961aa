import { isIP } from "node:net";
import type { JsonValue } from "@app-registry/sdk";
import { isSameSite } from "../../fetch/getHost.ts";
import { printable } from "../../fetch/printable.ts";
import { isLoopbackHost, isPublicAddress } from "../../fetch/publicAddress.ts";
import { formatFirst } from "../labels.ts";
import { pickFirstValid } from "../sanitizeMetadata.ts";
import { asString } from "./json.ts";

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

/** Returns true if an address is on a host that is not public. */
function isPrivate(address: string): boolean {
  const host = parseAddress(address)?.hostname.replace(/^\[|\]$|\.$/g, "");
  if (host === undefined) return false;
  if (isIP(host) !== 0) return !isPublicAddress(host);
  return isLoopbackHost(host) || !host.includes(".") || /\.(?:local|internal)$/.test(host);
}
