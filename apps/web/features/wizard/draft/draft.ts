import { type Discovery, type Finding, getFindingKey, type Proposal } from "@app-registry/outbound/fill";
import {
  type AppStatus,
  apiTypes,
  CONTRACT_ENDPOINT_NAME,
  endpointName,
  getAtPointer,
  Interfaces,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from "@app-registry/sdk";
import { getMetadataKeys } from "./metadataFields.ts";
import { removeAt, setAt } from "./pointer.ts";

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

/**
 * Everything that the user has entered, verbatim. The metadata JSON is stored whole and the form's fields are views of
 * its parts, so members that the form does not show are neither lost nor changed.
 */
export interface Draft {
  did: string;
  version: string;
  /** True once the user chose the version, so that the changes no longer do. */
  isOwnVersion: boolean;
  /** Bitmap of interfaces, 0 if none is chosen. */
  interfaces: number;
  metadata: JsonObject;
  /** CAIP-10 id, only for the Contract interface. */
  contractId: string;
  /** CAIP-19 id, or empty. */
  fungibleTokenId: string;
  /** Hash algorithm: 0 keccak256, 1 sha256. */
  algorithm: 0 | 1;
  /** Storage of the JSON: on the chain, or only at `dataUrl`. */
  storage: "chain" | "url";
  /** Status to set once the version is published, or empty to keep the current one. */
  status: "" | `${AppStatus}`;
  /** Publisher's own URL, or empty for the registry's. */
  dataUrl: string;
  /** Unparsed texts of JSON editors, by the JSON pointer that they edit; `""` is the whole document. */
  texts: Record<string, string>;
  /** Metadata of interfaces that are switched off, restored when they are switched on again. */
  stash: Partial<Record<InterfaceBit, JsonObject>>;
  /** Address that the user entered, from which the form is filled in. */
  source: string;
  /** Findings at that address, or null before the first reading. */
  discovery: Discovery | null;
  /** Finding that filled in the form last, by its key, with what else it set. Null before. */
  chosen: ({ key: string } & Pick<Proposal, "interfaces" | "version">) | null;
  /**
   * Metadata that came from a reading or from the published version. Text that the user entered is never overwritten.
   */
  read: JsonObject;
  /**
   * Metadata members that are switched off, by the pointer of the first one, restored when they are switched on again.
   */
  off: Record<string, JsonObject>;
  step: StepId;
  /** Screens that the user has left at least once. Their problems are shown at the fields. */
  visited: StepId[];
}

/** Creates an empty draft. */
export function emptyDraft(): Draft {
  return {
    did: "",
    version: "1.0.0",
    isOwnVersion: false,
    interfaces: 0,
    metadata: {},
    contractId: "",
    fungibleTokenId: "",
    algorithm: 0,
    storage: "chain",
    status: "",
    dataUrl: "",
    texts: {},
    stash: {},
    source: "",
    discovery: null,
    chosen: null,
    read: {},
    off: {},
    step: "start",
    visited: [],
  };
}

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

const humanKeys = getMetadataKeys("human");
const apiKeys = getMetadataKeys("api").filter((key) => key !== "endpoints");

function splitList(list: JsonValue | undefined, goes: (entry: JsonValue) => boolean) {
  const entries = Array.isArray(list) ? list : [];
  return { gone: entries.filter(goes), kept: entries.filter((entry) => !goes(entry)) };
}

function moveFromList(metadata: JsonObject, key: string, taken: JsonObject, goes: (e: JsonValue) => boolean) {
  const { gone, kept } = splitList(metadata[key], goes);
  if (gone.length === 0) return metadata;
  taken[key] = gone;
  return kept.length === 0 ? removeAt(metadata, `/${key}`) : setAt(metadata, `/${key}`, kept);
}

/** Removes the metadata of an interface that is switched off. Returns the remaining and the removed metadata. */
export function stashInterfaceFields(draft: Draft, bit: InterfaceBit): [JsonObject, JsonObject] {
  const taken: JsonObject = {};
  let rest = draft.metadata;
  const keys = bit === Interfaces.Human ? humanKeys : bit === Interfaces.Api ? apiKeys : [];
  for (const key of keys) {
    const value = getAtPointer(rest, `/${key}`);
    if (value === undefined) continue;
    taken[key] = value;
    rest = removeAt(rest, `/${key}`);
  }
  if (bit === Interfaces.Contract)
    rest = moveFromList(rest, "endpoints", taken, (entry) => isContractEndpoint(draft, entry));
  if (bit === Interfaces.Api) {
    rest = moveFromList(rest, "endpoints", taken, (entry) => !isContractEndpoint(draft, entry));
    rest = moveFromList(rest, "traits", taken, (trait) => getApiTrait(trait) !== undefined);
  }
  return [rest, taken];
}

/** Restores the metadata of an interface that is switched on again. Existing values are kept. */
export function restoreInterfaceFields(metadata: JsonObject, stashed: JsonObject | undefined): JsonObject {
  let result = metadata;
  for (const [key, value] of Object.entries(stashed ?? {})) {
    const present = getAtPointer(result, `/${key}`);
    if (Array.isArray(present) && Array.isArray(value))
      result = setAt(result, `/${key}`, [...value, ...present]);
    else if (present === undefined) result = setAt(result, `/${key}`, value);
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
  const api = endpoint !== undefined || (Array.isArray(endpoints) && endpoints.length > 0);
  return (api ? Interfaces.Api : 0) | (isJsonObject(platforms) ? Interfaces.Human : 0);
}

/** Returns the trait if it names an API type (`api:rest`), else `undefined`. */
export function getApiTrait(trait: JsonValue | undefined): string | undefined {
  return typeof trait === "string" && trait.startsWith("api:") ? trait : undefined;
}

/** Returns the API types among a document's traits. */
export function apiTraits(metadata: JsonObject): string[] {
  const traits = metadata.traits;
  return (Array.isArray(traits) ? traits : []).flatMap((trait) => getApiTrait(trait) ?? []);
}

/**
 * Returns true if an entry is the contract's own. Under a did:web without a contract, the name has no special meaning.
 */
export function isContractEndpoint({ did, interfaces }: Draft, entry: JsonValue | undefined): boolean {
  const mayBe = (interfaces & Interfaces.Contract) !== 0 || !/^\s*did:web:/i.test(did);
  return mayBe && isJsonObject(entry) && entry.name === CONTRACT_ENDPOINT_NAME;
}

/** Returns true if the wizard chose the name and may change it with the API type. */
export function isDefaultEndpointName(name: JsonValue | undefined): boolean {
  return name === undefined || name === "" || apiTypes.some(({ trait }) => endpointName(trait) === name);
}

/** Endpoint entry with its index in `endpoints`. */
interface EndpointRow {
  index: number;
  entry: JsonObject;
}

/** Returns the endpoint entries of the API interface, without the contract's entry. */
export function apiEndpoints(draft: Draft): EndpointRow[] {
  const list = draft.metadata.endpoints;
  return (Array.isArray(list) ? list : []).flatMap((entry, index) =>
    isJsonObject(entry) && !isContractEndpoint(draft, entry) ? [{ index, entry }] : [],
  );
}

/** Returns the index of the contract's entry, or the next free index without one. */
export function contractEndpointIndex(draft: Draft): number {
  const { endpoints } = draft.metadata;
  const list = Array.isArray(endpoints) ? endpoints : [];
  const index = list.findIndex((entry) => isContractEndpoint(draft, entry));
  return index === -1 ? list.length : index;
}

/** Key of a saved draft: a new service, or the next version of a record. */
export type DraftKey = { chainId: number; did?: string | undefined; major?: number | undefined };

/** Part of `Storage` that drafts need. */
type TextStore = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** Returns the storage key of a draft, or of the publication that belongs to it. */
export function storageKey(kind: "draft" | "publication", { chainId, did, major }: DraftKey): string {
  return `app-registry:${kind}:${chainId}:${did === undefined ? "new" : `${did}@${major}`}`;
}

/** Loads the draft saved under a key. Returns `undefined` for a missing or unreadable draft. */
export function loadDraft(store: TextStore, key: DraftKey): Draft | undefined {
  const text = store.getItem(storageKey("draft", key));
  return text === null ? undefined : parseDraft(text);
}

/**
 * Saves a draft.
 * @returns false if the browser refuses (private mode, full storage). The draft is then lost when the page closes.
 */
export function saveDraft(store: TextStore, key: DraftKey, draft: Draft): boolean {
  try {
    store.setItem(storageKey("draft", key), JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

/** Deletes a saved draft after it is published or discarded. */
export function deleteDraft(store: TextStore, key: DraftKey): void {
  store.removeItem(storageKey("draft", key));
}

/** Returns the storage key of a running publication, which belongs to its draft's key. */
export function publicationKey(key: DraftKey): string {
  return storageKey("publication", key);
}
