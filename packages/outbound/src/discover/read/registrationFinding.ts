import { apiTypes, endpointName, Interfaces, type JsonObject, MAX_LIST_LENGTH } from "@app-registry/sdk";
import type { Finding } from "../finding.ts";
import { formatCount } from "../labels.ts";
import { pickFirstValid, sanitizeMetadata } from "../sanitizeMetadata.ts";
import { asObjectArray, asString, asStringArray } from "./json.ts";
import { privateAddressNotes } from "./privateAddresses.ts";
import { toTraits } from "./toTraits.ts";

/** API types of service names that don't spell their trait. */
const apiAliases: Record<string, string> = {
  openapi: "api:rest",
  swagger: "api:rest",
  api: "api:rest",
  x402: "api:rest",
};

/** Entry of `services`, with its name in lower case. `apiTrait` is set if the endpoint is that of an API. */
type AgentService = { name: string; endpoint: string; entry: JsonObject; apiTrait: string | undefined };

/**
 * Lists the services of an ERC-8004 registration file, those of APIs first. Earlier drafts call them `endpoints`; some
 * files write `type` and `url` instead of `name` and `endpoint`.
 */
export function listServices(file: JsonObject): AgentService[] {
  const services = asObjectArray(file.services ?? file.endpoints).flatMap((entry) => {
    const endpoint = asString(entry.endpoint) ?? asString(entry.url);
    if (endpoint === undefined) return [];
    const name = (asString(entry.name) ?? asString(entry.type) ?? "").trim().toLowerCase();
    return [{ name, endpoint, entry, apiTrait: getApiTrait(name, endpoint) }];
  });
  return services.toSorted((one, other) => Number(!one.apiTrait) - Number(!other.apiTrait));
}

function getApiTrait(name: string, endpoint: string): string | undefined {
  // A discovery document of x402 lists resources and is none itself.
  if (!/^(?:https?|wss?|grpcs?):\/\//i.test(endpoint) || (name === "x402" && /\.json$/i.test(endpoint)))
    return undefined;
  const trait = `api:${name.replace(/[^a-z0-9]/g, "")}`;
  return Object.hasOwn(apiAliases, name)
    ? apiAliases[name]
    : apiTypes.find((type) => type.trait === trait)?.trait;
}

/** Returns true if a document is an agent's registration file (ERC-8004). */
export function isRegistrationFile(document: JsonObject): boolean {
  const types = Array.isArray(document.type) ? document.type : [document.type];
  if (types.some((type) => asString(type)?.includes("eip-8004#registration"))) return true;
  const isTrusted = Array.isArray(document.registrations) || Array.isArray(document.supportedTrust);
  return isTrusted && asString(document.name) !== undefined;
}

/**
 * Creates the finding of an ERC-8004 registration file. Fields that the metadata JSON does not define are unchanged.
 */
export function registrationFinding(file: JsonObject, url: string): Finding {
  const services = listServices(file);
  const named = (name: string) => services.filter((service) => service.name === name);
  const addresses = (name: string) => named(name).map(({ endpoint }) => endpoint);
  const apis = services.filter(({ apiTrait }) => apiTrait !== undefined);
  const x402 = addresses("x402");
  const pays = file.x402Support === true || file.x402support === true || x402.length > 0;
  const payments = x402.length > 0 ? x402.map((place) => ({ type: "x402", url: place })) : [{ type: "x402" }];
  const web = pickFirstValid("external_url", addresses("web"));
  const skills = named("oasf").flatMap(({ entry }) => [
    ...asStringArray(entry.skills),
    ...asStringArray(entry.domains),
  ]);
  const { endpoints, ...unchanged } = file;
  const bits = (apis.length > 0 ? Interfaces.Api : 0) | (web === undefined ? 0 : Interfaces.Human);
  const notes = privateAddressNotes(
    "The registration file",
    services.map(({ endpoint }) => endpoint).filter((place) => /^[a-z]+:\/\//i.test(place)),
    url,
  );
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
      ...findSupportUrl(addresses("email")),
      ...(apis.length > 0 && { endpoints: toEndpoints(apis) }),
      ...(pays && { payments }),
      traits: toTraits(
        [...apis.flatMap(({ apiTrait }) => apiTrait ?? []), ...(pays ? ["pay:x402"] : [])],
        // The last part of an OASF path, such as text_summarization, is the skill's own name.
        skills.flatMap((skill) => skill.split("/").at(-1) ?? []),
      ),
    }),
    ...(notes.length > 0 && { notes }),
  };
}

/** Creates an endpoint entry for each API, except for a second one of the same name. */
function toEndpoints(apis: readonly AgentService[]): JsonObject[] {
  const entries = new Map<string, JsonObject>();
  for (const { name, endpoint, entry, apiTrait = "" } of apis) {
    const key = name === "x402" ? "x402" : endpointName(apiTrait);
    const version = asString(entry.version);
    if (entries.has(key) || entries.size >= MAX_LIST_LENGTH) continue;
    entries.set(key, {
      name: key,
      endpoint,
      ...(/^(?:openapi|swagger)$/.test(name) && { schemaUrl: endpoint }),
      ...(version !== undefined && { interfaceVersions: [version] }),
    });
  }
  return [...entries.values()];
}

function findSupportUrl(addresses: readonly unknown[]): { supportUrl?: unknown } {
  const mails = addresses.map((address) => `mailto:${String(address).replace(/^mailto:/i, "")}`);
  const supportUrl = pickFirstValid("supportUrl", mails);
  return supportUrl === undefined ? {} : { supportUrl };
}
