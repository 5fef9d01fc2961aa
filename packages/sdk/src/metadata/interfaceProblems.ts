import { caip10Schema, getContractId } from "../caip.ts";
import type { Did } from "../did.ts";
import { isJsonObject, toJsonPointer } from "../jsonValue.ts";
import { Interfaces } from "../recordEnums.ts";
import { InvalidTraitError, normalizeTrait } from "../traits.ts";
import { CONTRACT_ENDPOINT_NAME, MCP_ENDPOINT_NAME } from "./endpointSchema.ts";
import { type LocatedEndpoint, locateEndpoints } from "./getEndpoints.ts";
import type { Problem } from "./problem.ts";

type Fields = Record<string, unknown>;

/**
 * Returns the interfaces that a document and its DID imply: platforms for people, endpoints of an API, or the address
 * of a contract.
 */
export function inferInterfaces(document: unknown, did: string): number {
  const { platforms, screenshotUrls, traits }: Fields = isJsonObject(document) ? document : {};
  const hasApiTrait = Array.isArray(traits) && traits.some((trait) => /^\s*api:/i.test(String(trait)));
  const hasEndpoint = locateEndpoints(document).some(({ entry }) => entry.name !== CONTRACT_ENDPOINT_NAME);
  const bits =
    (platforms !== undefined || screenshotUrls !== undefined ? Interfaces.Human : 0) |
    (hasApiTrait || hasEndpoint ? Interfaces.Api : 0) |
    (did.startsWith("did:pkh:") ? Interfaces.Contract : 0);
  // Assume the most common kind, so that the publisher learns which fields an API requires.
  return bits || Interfaces.Api;
}

/** Checks the requirements of the Human interface: an icon, screenshots and platforms. */
export function humanProblems(metadata: Fields): Problem[] {
  const problems: Problem[] = [];
  const missing = (pointer: string, message: string) => problems.push({ pointer, code: "missing", message });
  if (metadata.image === undefined) missing("/image", "An app for people needs an icon.");
  const screenshots = metadata.screenshotUrls;
  if (screenshots === undefined || (Array.isArray(screenshots) && screenshots.length === 0)) {
    missing("/screenshotUrls", "An app for people needs at least one screenshot.");
  }
  const { platforms } = metadata;
  if (platforms === undefined || (isJsonObject(platforms) && Object.keys(platforms).length === 0)) {
    missing("/platforms", "An app for people needs at least one platform, for example web, ios or android.");
  }
  for (const [name, platform] of isJsonObject(platforms) ? Object.entries(platforms) : []) {
    if (!isJsonObject(platform) || platform.launchUrl !== undefined || platform.downloadUrl !== undefined)
      continue;
    const field = name === "web" ? "launchUrl" : "downloadUrl";
    missing(
      toJsonPointer(["platforms", name, field]),
      `The platform ${name} needs a launchUrl or a downloadUrl.`,
    );
  }
  return problems;
}

/**
 * Checks the requirements of the API interface: an endpoint with a URL, an `api:*` trait, and the requirements of that
 * type.
 */
export function apiProblems(metadata: Fields): Problem[] {
  const problems: Problem[] = [];
  const traits = getApiTraits(metadata);
  const endpoints = locateEndpoints(metadata).filter(({ entry }) => entry.name !== CONTRACT_ENDPOINT_NAME);
  if (traits.size === 0) {
    const message = "An API needs a type trait, for example api:rest, api:mcp or api:a2a.";
    problems.push({ pointer: "/traits", code: "missing-api-trait", message });
  }
  if (endpoints.length === 0) {
    const message = "An API needs at least one endpoint with a URL.";
    problems.push({ pointer: "/endpoints", code: "missing-endpoint", message });
  }
  if (traits.has("api:mcp")) problems.push(...mcpProblems(endpoints));
  return problems;
}

/** Checks the requirements of the Contract interface: a DID that names the contract, and no other contractId. */
export function contractProblems(did: Did, contractId: unknown): Problem[] {
  const expected = getContractId(did);
  if (expected === undefined) {
    const message =
      "A contract must be registered under the DID of its address: did:pkh:eip155:<chain id>:<address>.";
    return [{ pointer: "", code: "not-a-did-pkh", message }];
  }
  if (contractId === undefined || contractId === "") return [];
  if (!caip10Schema.safeParse(contractId).success) {
    const message = `The contractId is not a CAIP-10 account. Leave it empty, or use ${expected}`;
    return [{ pointer: "/contractId", code: "invalid-contract-id", message }];
  }
  if (String(contractId).toLowerCase() === expected) return [];
  const message = `The contractId doesn't match the contract in the DID. Leave it empty, or use ${expected}`;
  return [{ pointer: "/contractId", code: "contract-id-mismatch", message }];
}

function mcpProblems(endpoints: readonly LocatedEndpoint[]): Problem[] {
  const named = endpoints.filter(({ entry }) => entry.name === MCP_ENDPOINT_NAME);
  if (named.length === 1) return [];
  if (named.length === 0) {
    const message = `Add an endpoint named "${MCP_ENDPOINT_NAME}". Clients look for this name to find an MCP server.`;
    return [{ pointer: "/endpoints", code: "missing-mcp-endpoint", message }];
  }
  const message = `Only one endpoint can be named "${MCP_ENDPOINT_NAME}", so that clients know which one to use.`;
  return named
    .slice(1)
    .map(({ pointer }) => ({ pointer: `${pointer}/name`, code: "second-mcp-endpoint", message }));
}

function getApiTraits(metadata: Fields): Set<string> {
  const { traits } = metadata;
  const found = new Set<string>();
  for (const text of Array.isArray(traits) ? traits : []) {
    const trait = typeof text === "string" ? normalizedOrUndefined(text) : undefined;
    if (trait !== undefined && /^api:./.test(trait)) found.add(trait);
  }
  return found;
}

/** Returns `undefined` for a text that is not a trait, which the schema reports. */
function normalizedOrUndefined(text: string): string | undefined {
  try {
    return normalizeTrait(text);
  } catch (error) {
    if (error instanceof InvalidTraitError) return undefined;
    throw error;
  }
}
