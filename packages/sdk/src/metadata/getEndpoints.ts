import type { Did } from "../did.ts";
import { getDidContract } from "../didMethods.ts";
import { isJsonObject } from "../json.ts";
import { apiTypes } from "../traits.ts";
import { CONTRACT_ENDPOINT_NAME, type EndpointEntry, MCP_ENDPOINT_NAME } from "./endpointSchema.ts";
import type { Metadata } from "./metadataSchema.ts";

/**
 * Returns the usual name of an endpoint of an API type.
 *
 * @example
 * endpointName("api:mcp"); // "MCP"
 */
export function endpointName(apiTrait: string): string {
  if (apiTrait === "api:mcp") return MCP_ENDPOINT_NAME;
  if (apiTrait === "api:a2a") return "A2A";
  return apiTypes.find(({ trait }) => trait === apiTrait)?.label ?? apiTrait.slice("api:".length);
}

/** Name for the endpoint of the earlier layout, which has no name. */
const SINGLE_ENDPOINT_NAME = "API";

/**
 * Returns the endpoint entries of a metadata JSON of either layout.
 *
 * An `endpoint` object of the earlier layout becomes an entry named `API`, after the entries of `endpoints`. Skips
 * elements that are not objects, so that it can read documents that were not validated.
 *
 * @example
 * getEndpoints(metadata).map(({ name }) => name); // ["REST"]
 */
export function getEndpoints(metadata: Metadata): EndpointEntry[] {
  return locateEndpoints(metadata).map(({ entry }) => entry);
}

/** Endpoint entry with the JSON Pointers (RFC 6901) of the entry and of its URL. */
export interface LocatedEndpoint {
  entry: EndpointEntry;
  pointer: string;
  urlPointer: string;
}

/** Returns the endpoint entries like {@link getEndpoints}, each with its place. */
export function locateEndpoints(metadata: unknown): LocatedEndpoint[] {
  if (!isJsonObject(metadata)) return [];
  const { endpoints, endpoint, interfaceVersions } = metadata;
  const located: LocatedEndpoint[] = [];
  for (const [index, entry] of (Array.isArray(endpoints) ? endpoints : []).entries()) {
    if (!isJsonObject(entry)) continue;
    const pointer = `/endpoints/${index}`;
    located.push({ entry: entry as EndpointEntry, pointer, urlPointer: `${pointer}/endpoint` });
  }
  if (isJsonObject(endpoint)) {
    const { url, ...rest } = endpoint;
    const entry = {
      name: SINGLE_ENDPOINT_NAME,
      ...(url === undefined ? {} : { endpoint: url }),
      ...(interfaceVersions === undefined ? {} : { interfaceVersions }),
      ...rest,
    };
    located.push({ entry: entry as EndpointEntry, pointer: "/endpoint", urlPointer: "/endpoint/url" });
  }
  return located;
}

/**
 * Returns true if an entry is the recommended RPC and ABI of the contract that the DID names. If the DID names no
 * contract, an entry named `Contract` is an endpoint like any other.
 *
 * @throws {InvalidDidError}
 * @example
 * isContractEndpoint("did:web:example.com", { name: "Contract" }); // false
 */
export function isContractEndpoint(did: string | Did, { name }: { name?: unknown }): boolean {
  return name === CONTRACT_ENDPOINT_NAME && getDidContract(did) !== undefined;
}
