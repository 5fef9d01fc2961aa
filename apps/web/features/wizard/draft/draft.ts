import { type Discovery, type Finding, getFindingKey, type Proposal } from "@app-registry/outbound/fill";
import {
  type AppStatus,
  CONTRACT_ENDPOINT_NAME,
  Interfaces,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from "@app-registry/sdk";
import { getMetadataKeys } from "./fields.ts";
import { removeAt, setAt, toList } from "./pointer.ts";

/** Id of a wizard screen. */
export type StepId =
  | "start"
  | "identity"
  | "about"
  | "human"
  | "api"
  | "contract"
  | "discovery"
  | "advanced"
  | "json"
  | "review";

/** Bit of one of the three interfaces. */
export type InterfaceBit = (typeof Interfaces)[keyof typeof Interfaces];

/** Creates an empty draft. */
export const emptyDraft = () => ({
  did: "",
  version: "1.0.0",
  /** True once the user chose the version, so that the changes no longer do. */
  isOwnVersion: false,
  /** Bitmap of interfaces, 0 if none is chosen. */
  interfaces: 0,
  metadata: {} as JsonObject,
  /** CAIP-10 id, only for the Contract interface. */
  contractId: "",
  /** CAIP-19 id, or empty. */
  fungibleTokenId: "",
  /** Hash algorithm: 0 keccak256, 1 sha256. */
  algorithm: 0 as 0 | 1,
  /** Storage of the JSON: on the chain, or only at `dataUrl`. */
  storage: "chain" as "chain" | "url",
  /** Status to set once the version is published, or empty to keep the current one. */
  status: "" as "" | `${AppStatus}`,
  /** Publisher's own URL, or empty for the registry's. */
  dataUrl: "",
  /** Unparsed texts of JSON editors, by the JSON pointer that they edit; `""` is the whole document. */
  texts: {} as Record<string, string>,
  /** Metadata of interfaces that are switched off, restored when they are switched on again. */
  stash: {} as Partial<Record<InterfaceBit, JsonObject>>,
  /** Address that the user entered, from which the form is filled in. */
  source: "",
  /** Findings at that address, or null before the first reading. */
  discovery: null as Discovery | null,
  /** Finding that filled in the form last, by its key, with what else it set. Null before. */
  chosen: null as ({ key: string } & Pick<Proposal, "interfaces" | "version">) | null,
  /**
   * Metadata that came from a reading or from the published version. Text that the user entered is never overwritten.
   */
  read: {} as JsonObject,
  /**
   * Metadata members that are switched off, by the pointer of the first one, restored when they are switched on again.
   */
  off: {} as Record<string, JsonObject>,
  step: "start" as StepId,
  /** Screens that the user has left at least once. Their problems are shown at the fields. */
  visited: [] as StepId[],
});

/**
 * Everything that the user has entered, verbatim. The metadata JSON is stored whole and the form's fields are views of
 * its parts, so members that the form does not show are neither lost nor changed.
 */
export type Draft = ReturnType<typeof emptyDraft>;

/** Returns true if a draft contains anything but the initial values. */
export const hasInput = ({ step: _, visited: __, ...input }: Draft): boolean =>
  Object.entries(emptyDraft()).some(
    ([key, value]) =>
      key in input && JSON.stringify(input[key as keyof typeof input]) !== JSON.stringify(value),
  );

/**
 * Returns true once the user filled in something or left a screen, so that problems may be shown. An address to read and
 * its findings are no part of the record yet.
 */
export const isBegun = (draft: Draft): boolean =>
  draft.visited.length > 0 || hasInput({ ...draft, source: "", discovery: emptyDraft().discovery });

/** Fields of each interface. The lists of endpoints and traits contain entries of several interfaces. */
const interfaceFields: Record<
  InterfaceBit,
  [key: string, isIn?: (entry: JsonValue, draft: Draft) => boolean][]
> = {
  [Interfaces.Human]: getMetadataKeys("human").map((key) => [key]),
  [Interfaces.Api]: [
    ...getMetadataKeys("api").flatMap((key): [string][] => (key === "endpoints" ? [] : [[key]])),
    ["endpoints", (entry, draft) => !isContractEndpoint(draft, entry)],
    ["traits", (entry) => isApiTrait(entry)],
  ],
  [Interfaces.Contract]: [["endpoints", (entry, draft) => isContractEndpoint(draft, entry)]],
};

/** Removes the metadata of an interface that is switched off. Returns the remaining and the removed metadata. */
export function stashInterfaceFields(draft: Draft, bit: InterfaceBit): [JsonObject, JsonObject] {
  const taken: JsonObject = {};
  let rest = draft.metadata;
  for (const [key, isIn] of interfaceFields[bit]) {
    const gone = isIn ? toList(rest[key]).filter((entry) => isIn(entry, draft)) : rest[key];
    if (gone === undefined || (isIn && toList(gone).length === 0)) continue;
    const kept = isIn ? toList(rest[key]).filter((entry) => !isIn(entry, draft)) : [];
    taken[key] = gone;
    rest = kept.length === 0 ? removeAt(rest, `/${key}`) : setAt(rest, `/${key}`, kept);
  }
  return [rest, taken];
}

/** Restores the metadata of an interface that is switched on again. Existing values are kept. */
export function restoreInterfaceFields(metadata: JsonObject, stashed: JsonObject = {}): JsonObject {
  const result = { ...metadata };
  for (const [key, value] of Object.entries(stashed)) {
    const present = result[key];
    if (Array.isArray(present) && Array.isArray(value)) result[key] = [...value, ...present];
    else if (present === undefined) result[key] = value;
  }
  return result;
}

/** Parses a stored draft. Returns `undefined` if the text is not a draft. */
export function parseDraft(text: string): Draft | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isJsonObject(value) || !isJsonObject(value.metadata)) return undefined;
  const base: Record<string, unknown> = { ...emptyDraft() };
  for (const [key, fallback] of Object.entries(base)) {
    if (typeof value[key] === typeof fallback && value[key] !== null) base[key] = value[key];
  }
  return base as unknown as Draft;
}

/** Returns the finding that filled in the form, or `undefined` if the last reading has no such finding. */
export const getChosenFinding = ({ discovery, chosen }: Draft): Finding | undefined =>
  discovery?.findings.find((finding) => getFindingKey(finding) === chosen?.key);

/** Returns the interfaces that a document certainly serves. */
export function detectInterfaces({ endpoints, endpoint, platforms }: JsonObject): number {
  const api = endpoint !== undefined || toList(endpoints).length > 0;
  return (api ? Interfaces.Api : 0) | (isJsonObject(platforms) ? Interfaces.Human : 0);
}

/** Returns true if a trait names an API type (`api:rest`). */
export const isApiTrait = (trait: JsonValue): trait is string =>
  typeof trait === "string" && trait.startsWith("api:");

/** Returns the first API type among a document's traits. */
export const getApiTrait = ({ traits }: JsonObject): string | undefined => toList(traits).find(isApiTrait);

/**
 * Returns true if an entry is the contract's own. Under a did:web without a contract, the name has no special meaning.
 */
export function isContractEndpoint({ did, interfaces }: Draft, entry: JsonValue | undefined): boolean {
  const mayBe = (interfaces & Interfaces.Contract) !== 0 || !/^\s*did:web:/i.test(did);
  return mayBe && isJsonObject(entry) && entry.name === CONTRACT_ENDPOINT_NAME;
}

/** Returns the endpoint entries of the API interface with their indexes, without the contract's entry. */
export const apiEndpoints = (draft: Draft): { index: number; entry: JsonObject }[] =>
  toList(draft.metadata.endpoints).flatMap((entry, index) =>
    isJsonObject(entry) && !isContractEndpoint(draft, entry) ? [{ index, entry }] : [],
  );

/** Returns the index of the contract's entry, or the next free index without one. */
export function contractEndpointIndex(draft: Draft): number {
  const list = toList(draft.metadata.endpoints);
  const index = list.findIndex((entry) => isContractEndpoint(draft, entry));
  return index === -1 ? list.length : index;
}

/** Key of a saved draft: a new service, or the next version of a record. */
export type DraftKey = { chainId: number; did?: string | undefined; major?: number | undefined };

/** Returns the storage key of a draft, or of the publication that belongs to it. */
export function storageKey(kind: "draft" | "publication", { chainId, did, major }: DraftKey): string {
  return `app-registry:${kind}:${chainId}:${did === undefined ? "new" : `${did}@${major}`}`;
}
