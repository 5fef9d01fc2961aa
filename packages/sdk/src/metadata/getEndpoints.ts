import { type Did, parseDid } from "../did.ts";
import { isJsonObject } from "../jsonValue.ts";
import { CONTRACT_ENDPOINT_NAME, type EndpointEntry } from "./endpointSchema.ts";
import type { Metadata } from "./metadataSchema.ts";

/** Name for the endpoint of the earlier layout, which has none. */
const SINGLE_ENDPOINT_NAME = "API";

/**
 * The endpoint entries of a metadata JSON of either layout.
 *
 * An `endpoint` object of the earlier layout becomes an entry named `API`, after the entries of `endpoints`.
 * Skips elements that are not objects, so that it can read unchecked documents.
 *
 * @example
 * getEndpoints(metadata).map(({ name }) => name); // ["REST"]
 */
export function getEndpoints(metadata: Metadata): EndpointEntry[] {
  return locateEndpoints(metadata).map(({ entry }) => entry);
}

/** An endpoint entry with the JSON Pointers of itself and of its URL. */
export interface LocatedEndpoint {
  entry: EndpointEntry;
  pointer: string;
  urlPointer: string;
}

/** `getEndpoints` with the place of each entry. */
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
 * Whether an entry is the recommended RPC and ABI of the contract that the DID names. Under a DID that names no
 * contract, the name `Contract` makes an entry nothing special: it is an endpoint like any other.
 *
 * @throws {InvalidDidError}
 * @example
 * isContractEndpoint("did:web:example.com", { name: "Contract" }); // false
 */
export function isContractEndpoint(did: string | Did, { name }: { name?: unknown }): boolean {
  const { method } = typeof did === "string" ? parseDid(did) : did;
  return method === "pkh" && name === CONTRACT_ENDPOINT_NAME;
}
