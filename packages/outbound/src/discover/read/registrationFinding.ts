import { endpointName, Interfaces, type JsonObject } from "@app-registry/sdk";
import { accepted, firstAccepted } from "../accepted.ts";
import type { Finding } from "../finding.ts";
import { count } from "../labels.ts";
import { objectsOf, textOf } from "./json.ts";
import { traitsOf } from "./traitsOf.ts";

/** Names of services that are kinds of API here. */
const apiTraits: Record<string, string> = { mcp: "api:mcp", a2a: "api:a2a" };

/** The services of an ERC-8004 registration file; earlier drafts called them endpoints. */
export const servicesOf = (file: JsonObject): JsonObject[] =>
  objectsOf(file.services ?? file.endpoints).filter(({ endpoint }) => textOf(endpoint) !== undefined);

/** Whether a document is the registration file of an agent (ERC-8004). */
export function isRegistrationFile(document: JsonObject): boolean {
  if (textOf(document.type)?.includes("eip-8004#registration")) return true;
  const isTrusted = Array.isArray(document.registrations) || Array.isArray(document.supportedTrust);
  return isTrusted && textOf(document.name) !== undefined;
}

/** What an ERC-8004 registration file says. Its fields that a metadata JSON doesn't know stay as they are. */
export function registrationFinding(file: JsonObject, url: string): Finding {
  const services = servicesOf(file);
  const named = (name: string) =>
    services
      .filter((service) => textOf(service.name)?.toLowerCase() === name)
      .map(({ endpoint }) => endpoint);
  const apis = services.flatMap((service) => {
    const { name, endpoint, version, ...rest } = service;
    const trait = apiTraits[textOf(name)?.toLowerCase() ?? ""];
    if (trait === undefined) return [];
    const versions = textOf(version) === undefined ? {} : { interfaceVersions: [version] };
    return [{ trait, entry: { ...rest, name: endpointName(trait), endpoint, ...versions } }];
  });
  const pays = file.x402Support === true || file.x402support === true;
  const web = firstAccepted("external_url", named("web"));
  const { endpoints, ...unchanged } = file;
  const bits = (apis.length > 0 ? Interfaces.Api : 0) | (web === undefined ? 0 : Interfaces.Human);
  return {
    kind: "erc8004",
    url,
    interfaces: bits,
    offers: services.length > 0 ? [count(services, "service")] : [],
    metadata: accepted({
      // The endpoints of an earlier draft are not those of a metadata JSON.
      ...(endpoints !== undefined && { services: endpoints }),
      ...unchanged,
      ...(web !== undefined && { external_url: web, platforms: { web: { launchUrl: web } } }),
      ...supportOf(named("email")),
      ...(apis.length > 0 && { endpoints: apis.map(({ entry }) => entry) }),
      ...(pays && { payments: [{ type: "x402" }] }),
      traits: traitsOf([...apis.map(({ trait }) => trait), ...(pays ? ["pay:x402"] : [])], []),
    }),
  };
}

function supportOf(addresses: readonly unknown[]): { supportUrl?: unknown } {
  const mails = addresses.map((address) => `mailto:${String(address).replace(/^mailto:/i, "")}`);
  const supportUrl = firstAccepted("supportUrl", mails);
  return supportUrl === undefined ? {} : { supportUrl };
}
