import { endpointName, Interfaces, type JsonObject } from "@app-registry/sdk";
import type { Finding } from "../finding.ts";
import { formatCount } from "../labels.ts";
import { pickFirstValid, sanitizeMetadata } from "../sanitizeMetadata.ts";
import { asObjectArray, asString } from "./json.ts";
import { toTraits } from "./toTraits.ts";

/** Traits of the service names that are API types. */
const apiTraits: Record<string, string> = { mcp: "api:mcp", a2a: "api:a2a" };

/** Lists the services of an ERC-8004 registration file. Earlier drafts call them `endpoints`. */
export const listServices = (file: JsonObject): JsonObject[] =>
  asObjectArray(file.services ?? file.endpoints).filter(({ endpoint }) => asString(endpoint) !== undefined);

/** Returns true if a document is an agent's registration file (ERC-8004). */
export function isRegistrationFile(document: JsonObject): boolean {
  if (asString(document.type)?.includes("eip-8004#registration")) return true;
  const isTrusted = Array.isArray(document.registrations) || Array.isArray(document.supportedTrust);
  return isTrusted && asString(document.name) !== undefined;
}

/**
 * Creates the finding of an ERC-8004 registration file. Fields that the metadata JSON does not define are unchanged.
 */
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
      // Rename the endpoints of an earlier draft: a metadata JSON uses that field name for another format.
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
