import { apiTypes, CONTRACT_ENDPOINT_NAME, endpointName } from "@app-registry/sdk";
import { isJsonObject, type JsonObject, type JsonValue } from "./pointer.ts";

/** The trait itself when it names an API type (`api:rest`), else undefined. */
export function apiTraitOf(trait: JsonValue | undefined): string | undefined {
  return typeof trait === "string" && trait.startsWith("api:") ? trait : undefined;
}

/** The API types of a document, as its traits name them. */
export function apiTraits(metadata: JsonObject): string[] {
  const traits = metadata.traits;
  return (Array.isArray(traits) ? traits : []).flatMap((trait) => apiTraitOf(trait) ?? []);
}

export function isContractEndpoint(entry: JsonValue | undefined): boolean {
  return isJsonObject(entry) && entry.name === CONTRACT_ENDPOINT_NAME;
}

/** Whether a name was given by the wizard, and so may be changed by it when the API type changes. */
export function isDefaultEndpointName(name: JsonValue | undefined): boolean {
  return name === undefined || name === "" || apiTypes.some(({ trait }) => endpointName(trait) === name);
}

/** An endpoint entry with its place in `endpoints`. */
export interface EndpointRow {
  index: number;
  entry: JsonObject;
}

/** The endpoint entries of the API interface: all but the contract's own. */
export function apiEndpoints(metadata: JsonObject): EndpointRow[] {
  const list = metadata.endpoints;
  return (Array.isArray(list) ? list : []).flatMap((entry, index) =>
    isJsonObject(entry) && !isContractEndpoint(entry) ? [{ index, entry }] : [],
  );
}

/** The place of the Contract entry; the next free one when there is none yet. */
export function contractEndpointIndex(metadata: JsonObject): number {
  const list = Array.isArray(metadata.endpoints) ? metadata.endpoints : [];
  const index = list.findIndex(isContractEndpoint);
  return index === -1 ? list.length : index;
}
