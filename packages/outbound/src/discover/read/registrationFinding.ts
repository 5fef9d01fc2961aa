import { apiTypes, endpointName, Interfaces, type JsonObject } from "@app-registry/sdk";
import { findAddressProblem } from "@app-registry/sdk/internal";
import { printable } from "../../fetch/guardedFetchError.ts";
import { asObjectArray, asString, asStringArray, compact } from "../../import/json.ts";
import { pickFirstValid, sanitizeMetadata, toTraits } from "../../import/sanitizeMetadata.ts";
import { type Finding, formatCount, formatFirst, REGISTRATION_PATH } from "../finding.ts";
import { isUnreachable, noteAddresses, readDocumentTexts } from "./documentTexts.ts";

/** API types of the service names that don't spell one. */
const apiAliases: Record<string, string> = { openapi: "rest", swagger: "rest", api: "rest", x402: "rest" };

/** Service of a registration file, with its name in lower case. `apiTrait` is set if it is an API. */
type AgentService = {
  name: string;
  endpoint: string;
  entry: JsonObject;
  apiTrait: string | undefined;
  /** Reason why the address can't be that of a running API. */
  problem: string | undefined;
};

/**
 * Lists the services of an ERC-8004 registration file, APIs first. Earlier drafts call them `endpoints`, and some files
 * write `type` and `url` instead of `name` and `endpoint`.
 */
export function listServices(file: JsonObject, url: string): AgentService[] {
  const services = asObjectArray(file.services ?? file.endpoints).flatMap((entry) => {
    const endpoint = asString(entry.endpoint) ?? asString(entry.url);
    if (endpoint === undefined) return [];
    const name = (asString(entry.name) ?? asString(entry.type) ?? "").trim().toLowerCase();
    const apiTrait = getApiTrait(name, endpoint);
    const entryName = isDescription({ name }) ? undefined : endpointName(apiTrait ?? "");
    const unreachable = isUnreachable(endpoint, url) ? "Others can't reach this address." : undefined;
    const problem = apiTrait && (findAddressProblem(endpoint, entryName)?.message ?? unreachable);
    return [{ name, endpoint, entry, apiTrait, problem }];
  });
  return services.toSorted((one, other) => Number(!one.apiTrait) - Number(!other.apiTrait));
}

function getApiTrait(name: string, endpoint: string): string | undefined {
  // A JSON document of x402 only lists the paid resources.
  const isApi =
    /^(?:https?|wss?|grpcs?):\/\//i.test(endpoint) && !(name === "x402" && /\.json$/i.test(endpoint));
  const type = (Object.hasOwn(apiAliases, name) && apiAliases[name]) || name.replace(/-api$|[^a-z0-9]/g, "");
  return isApi ? apiTypes.find(({ trait }) => trait === `api:${type}`)?.trait : undefined;
}

/** Returns true if a document is an agent's registration file (ERC-8004). */
export function isRegistrationFile(document: JsonObject, url: string): boolean {
  const types = Array.isArray(document.type) ? document.type : [document.type];
  if (types.some((type) => asString(type)?.includes("eip-8004#registration"))) return true;
  const isPlace = REGISTRATION_PATH.test(new URL(url).pathname);
  const isTrusted = Array.isArray(document.registrations) || Array.isArray(document.supportedTrust);
  const hasServices = Array.isArray(document.services ?? document.endpoints);
  return (isPlace || isTrusted) && hasServices && asString(document.name) !== undefined;
}

/**
 * Creates the finding of an ERC-8004 registration file. Fields that the metadata JSON does not define are unchanged.
 */
export function registrationFinding(file: JsonObject, url: string): Finding {
  const services = listServices(file, url);
  const addresses = (wanted: string) =>
    services.flatMap(({ name, endpoint }) => (name === wanted ? endpoint : []));
  const apis = services.filter(({ apiTrait, problem }) => apiTrait !== undefined && !problem);
  const entries = listEndpoints(apis);
  const isUsed = ({ endpoint: at }: AgentService) =>
    entries.some(({ endpoint, schemaUrl }) => at === endpoint || at === schemaUrl);
  const used = apis.filter(isUsed);
  const leftOut = services.filter(
    (one) => /^https?:/i.test(one.endpoint) && !isUsed(one) && !/^(?:web|x402)$/.test(one.name),
  );
  const payments = addresses("x402").map((place) => ({ type: "x402", url: place }));
  const pays = file.x402Support === true || file.x402support === true || payments.length > 0;
  const web = pickFirstValid("external_url", addresses("web"));
  const mails = addresses("email").map((address) => `mailto:${address.replace(/^mailto:/i, "")}`);
  const email = pickFirstValid("supportUrl", mails);
  const { endpoints, ...unchanged } = file;
  // The website of an agent that has an API describes it, and is not an app for people.
  const isApp = web !== undefined && entries.length === 0;
  const bits = (entries.length > 0 ? Interfaces.Api : 0) | (isApp ? Interfaces.Human : 0);
  const { metadata: texts, version, notes: textNotes } = readDocumentTexts({ ...file, tools: [] });
  const about = { document: "The registration file", service: "The agent", url };
  const notes = [
    ...textNotes,
    ...describeLeftOut(leftOut),
    ...(entries.some(({ endpoint }) => endpoint === undefined) ? [ONLY_DESCRIBED] : []),
    ...noteAddresses(about, compact(entries.map(({ endpoint }) => asString(endpoint))), []),
  ];
  return {
    kind: "erc8004",
    url,
    interfaces: bits,
    ...(version !== undefined && { version }),
    offers: services.length > 0 ? [formatCount(services, "service")] : [],
    metadata: sanitizeMetadata({
      // Rename the endpoints of an earlier draft: a metadata JSON uses that field name for another format.
      ...(endpoints !== undefined && { services: endpoints }),
      publisher: texts.publisher,
      ...unchanged,
      ...(web !== undefined && { external_url: web }),
      ...(isApp && { platforms: { web: { launchUrl: web } } }),
      ...(email !== undefined && { supportUrl: email }),
      ...(entries.length > 0 && { endpoints: entries }),
      ...(pays && { payments: payments.length > 0 ? payments : [{ type: "x402" }] }),
      traits: toTraits(
        [...used.flatMap(({ apiTrait }) => apiTrait ?? []), ...(pays ? ["pay:x402"] : [])],
        // The last part of an OASF path, such as text_summarization, is the skill's own name.
        services
          .filter(({ name }) => name === "oasf")
          .flatMap(({ entry }) => [entry.skills, entry.domains].flatMap(asStringArray))
          .flatMap((skill) => skill.split("/").at(-1) ?? []),
      ),
    }),
    ...(notes.length > 0 && { notes }),
  };
}

const ONLY_DESCRIBED =
  "The registration file names only the description of its API. Enter the API's own address as the endpoint.";

function describeLeftOut(services: readonly AgentService[]): string[] {
  const list = services.map(({ name, endpoint, problem }) =>
    [`${printable(name, 60)} (${printable(endpoint)})`, ...(problem ? [problem] : [])].join(": "),
  );
  return list.length === 0
    ? []
    : [`Not among the endpoints: ${formatFirst(list, 5)}. If these are APIs, add them under Endpoints.`];
}

const isDescription = ({ name }: { name: string }): boolean => /^(?:openapi|swagger)$/.test(name);

/** Converts APIs to endpoints. The document of an OpenAPI service is the schema of the REST endpoint. */
function listEndpoints(apis: readonly AgentService[]): JsonObject[] {
  const endpoints = new Map<string, JsonObject>();
  // Keep the first one of each name, because clients find an endpoint by its name.
  for (const { name: service, endpoint, entry, apiTrait = "" } of apis.filter((api) => !isDescription(api))) {
    const name = service === "x402" ? service : endpointName(apiTrait);
    const version = asString(entry.version);
    const versions = version !== undefined && { interfaceVersions: [version] };
    if (!endpoints.has(name)) endpoints.set(name, { name, endpoint, ...versions });
  }
  const name = endpointName("api:rest");
  const schemaUrl = apis.find(isDescription)?.endpoint;
  if (schemaUrl !== undefined && (endpoints.has(name) || endpoints.size === 0))
    endpoints.set(name, { name, ...endpoints.get(name), schemaUrl });
  return [...endpoints.values()];
}
