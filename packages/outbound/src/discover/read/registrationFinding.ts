import { endpointName, Interfaces, type JsonObject } from "@app-registry/sdk";
import type { Finding } from "../finding.ts";
import { formatCount } from "../labels.ts";
import { pickFirstValid, sanitizeMetadata } from "../sanitizeMetadata.ts";
import { asObjectArray, asString } from "./json.ts";
import { toTraits } from "./toTraits.ts";

/** Names of services that are kinds of API here. */
const apiTraits: Record<string, string> = { mcp: "api:mcp", a2a: "api:a2a" };

/** The services of an ERC-8004 registration file; earlier drafts called them endpoints. */
export const listServices = (file: JsonObject): JsonObject[] =>
  asObjectArray(file.services ?? file.endpoints).filter(({ endpoint }) => asString(endpoint) !== undefined);

/** Whether a document is the registration file of an agent (ERC-8004). */
export function isRegistrationFile(document: JsonObject): boolean {
  if (asString(document.type)?.includes("eip-8004#registration")) return true;
  const isTrusted = Array.isArray(document.registrations) || Array.isArray(document.supportedTrust);
  return isTrusted && asString(document.name) !== undefined;
}

/** What an ERC-8004 registration file says. Its fields that a metadata JSON doesn't know stay as they are. */
export function registrationFinding(file: JsonObject, url: string): Finding {
  const services = listServices(file);
  const named = (name: string) =>
    services
      .filter((service) => asString(service.name)?.toLowerCase() === name)
      .map(({ endpoint }) => endpoint);
  const apis = services.flatMap((service) => {
    const { name, endpoint, version, ...rest } = service;
    const trait = apiTraits[asString(name)?.toLowerCase() ?? ""];
    if (trait === undefined) return [];
    const versions = asString(version) === undefined ? {} : { interfaceVersions: [version] };
    return [{ trait, entry: { ...rest, name: endpointName(trait), endpoint, ...versions } }];
  });
  const pays = file.x402Support === true || file.x402support === true;
  const web = pickFirstValid("external_url", named("web"));
  const { endpoints, ...unchanged } = file;
  const bits = (apis.length > 0 ? Interfaces.Api : 0) | (web === undefined ? 0 : Interfaces.Human);
  return {
    kind: "erc8004",
    url,
    interfaces: bits,
    offers: services.length > 0 ? [formatCount(services, "service")] : [],
    metadata: sanitizeMetadata({
      // The endpoints of an earlier draft are not those of a metadata JSON.
      ...(endpoints !== undefined && { services: endpoints }),
      ...unchanged,
      ...(web !== undefined && { external_url: web, platforms: { web: { launchUrl: web } } }),
      ...findSupportUrl(named("email")),
      ...(apis.length > 0 && { endpoints: apis.map(({ entry }) => entry) }),
      ...(pays && { payments: [{ type: "x402" }] }),
      traits: toTraits([...apis.map(({ trait }) => trait), ...(pays ? ["pay:x402"] : [])], []),
    }),
  };
}

function findSupportUrl(addresses: readonly unknown[]): { supportUrl?: unknown } {
  const mails = addresses.map((address) => `mailto:${String(address).replace(/^mailto:/i, "")}`);
  const supportUrl = pickFirstValid("supportUrl", mails);
  return supportUrl === undefined ? {} : { supportUrl };
}
