import { isIP } from "node:net";
import type { JsonValue } from "@app-registry/sdk";
import { printable } from "../../fetch/printable.ts";
import { isLoopbackHost, isPublicAddress } from "../../fetch/publicAddress.ts";
import { isSameSite } from "../isSameSite.ts";
import { formatFirst } from "../labels.ts";
import { pickFirstValid } from "../sanitizeMetadata.ts";
import { asString } from "./json.ts";

/** Notes that a document lists addresses which others can't reach, unless it is on a loopback host itself. */
export function notePrivateAddresses(source: string, addresses: string[], url: string): string[] {
  const found = isLoopbackHost(new URL(url).hostname) ? [] : addresses.filter(isPrivate);
  if (found.length === 0) return [];
  const list = formatFirst(
    found.map((address) => printable(address)),
    1,
  );
  const note = `${source} lists addresses that only its own computer or network can reach: ${list}.`;
  return [`${note} Use public addresses.`];
}

/** Returns the first valid website, which is not on the computer or network of its author. */
export const pickWebsite = (candidates: readonly (JsonValue | undefined)[]): JsonValue | undefined =>
  pickFirstValid(
    "external_url",
    candidates.filter((candidate) => !isPrivate(asString(candidate) ?? "")),
  );

/** Notes that a document names texts, such as placeholders, where the address of a service should be. */
export function noteUnusable(source: string, addresses: readonly string[]): string[] {
  if (addresses.length === 0) return [];
  const list = formatFirst(addresses.map((address) => `"${printable(address, 200)}"`));
  const what =
    addresses.length === 1
      ? "isn't the address of a running service"
      : "aren't addresses of running services";
  return [`${source} names ${list}, which ${what}. Enter the service's own address.`];
}

/** Notes that none of a service's public addresses is on the site of the document that describes it. */
export function noteOtherSite(service: string, addresses: string[], url: string): string[] {
  const found = addresses.filter((address) => parseAddress(address) && !isPrivate(address));
  const [first] = found;
  if (first === undefined || found.some((one) => isSameSite(parseAddress(one) as URL, new URL(url))))
    return [];
  return [`${describeOtherSite(service, first)} ${ONLY_CONTROLLER}`];
}

export const describeOtherSite = (service: string, address: string): string =>
  `${service} is on another site, at ${printable(address)}.`;

export const ONLY_CONTROLLER = "Only its controller can register it.";

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
