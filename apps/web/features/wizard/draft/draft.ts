import type { Discovery, FindingKind } from "@app-registry/outbound/fill";
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
import { removeAt, setAt } from "./pointer.ts";

/** One screen of the wizard. */
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

/** One of the three interfaces, by its bit. */
export type InterfaceBit = (typeof Interfaces)[keyof typeof Interfaces];

/**
 * Everything that a person has typed, as typed. The metadata JSON is kept whole and the form's fields are views
 * of its parts, so that what the form does not know is neither lost nor rewritten.
 */
export interface Draft {
  did: string;
  version: string;
  /** Bitmap, 0 while none is chosen. */
  interfaces: number;
  metadata: JsonObject;
  /** CAIP-10, only for the Contract interface. */
  contractId: string;
  /** CAIP-19, or empty. */
  fungibleTokenId: string;
  /** 0 keccak256, 1 sha256. */
  algorithm: 0 | 1;
  /** Where the JSON lives: stored on the chain, or at `dataUrl` alone. */
  storage: "chain" | "url";
  /** The record's status to set once the version is published; empty keeps the one that it has. */
  status: "" | `${AppStatus}`;
  /** A URL of the publisher's own, or empty for the registry's. */
  dataUrl: string;
  /** Texts of JSON editors that don't parse yet, by the JSON pointer that they edit; `""` is the whole document. */
  texts: Record<string, string>;
  /** Parts of the metadata that belong to an interface which is switched off, kept for when it comes back. */
  stash: Partial<Record<InterfaceBit, JsonObject>>;
  /** The address that a person gave, from which the form is filled in. */
  source: string;
  /** What was found there; null before anything was read. */
  discovery: Discovery | null;
  /** The findings that are used, by their kind. */
  chosen: FindingKind[];
  /** What a reading, or the published version, put into the metadata. A person's own words are never overwritten. */
  read: JsonObject;
  /** Members of the metadata that were switched off, by the pointer of the first one, kept for when they come back. */
  off: Record<string, JsonObject>;
  step: StepId;
  /** Screens that were left once; what they lack is then shown at its field. */
  visited: StepId[];
}

/** A draft with nothing typed into it. */
export function emptyDraft(): Draft {
  return {
    did: "",
    version: "1.0.0",
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
    chosen: [],
    read: {},
    off: {},
    step: "start",
    visited: [],
  };
}

const humanKeys = ["platforms", "screenshotUrls", "videoUrls", "threeDAssetUrls", "portalUrl"];
const apiKeys = ["endpoint", "interfaceVersions"];

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

/** Moves the parts of an interface that is switched off out of the metadata. */
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

/** Puts the parts of an interface that comes back into the metadata; what stands there stays. */
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

/** Reads a draft back from storage; undefined when it isn't one. */
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

/** The trait itself when it names an API type (`api:rest`), else undefined. */
export function getApiTrait(trait: JsonValue | undefined): string | undefined {
  return typeof trait === "string" && trait.startsWith("api:") ? trait : undefined;
}

/** The API types of a document, as its traits name them. */
export function apiTraits(metadata: JsonObject): string[] {
  const traits = metadata.traits;
  return (Array.isArray(traits) ? traits : []).flatMap((trait) => getApiTrait(trait) ?? []);
}

/** Whether an entry is the contract's own. Under a did:web without a contract, its name makes it nothing special. */
export function isContractEndpoint({ did, interfaces }: Draft, entry: JsonValue | undefined): boolean {
  const mayBe = (interfaces & Interfaces.Contract) !== 0 || !/^\s*did:web:/i.test(did);
  return mayBe && isJsonObject(entry) && entry.name === CONTRACT_ENDPOINT_NAME;
}

/** Whether a name was given by the wizard, and so may be changed by it when the API type changes. */
export function isDefaultEndpointName(name: JsonValue | undefined): boolean {
  return name === undefined || name === "" || apiTypes.some(({ trait }) => endpointName(trait) === name);
}

/** An endpoint entry with its place in `endpoints`. */
interface EndpointRow {
  index: number;
  entry: JsonObject;
}

/** The endpoint entries of the API interface: all but the contract's own. */
export function apiEndpoints(draft: Draft): EndpointRow[] {
  const list = draft.metadata.endpoints;
  return (Array.isArray(list) ? list : []).flatMap((entry, index) =>
    isJsonObject(entry) && !isContractEndpoint(draft, entry) ? [{ index, entry }] : [],
  );
}

/** The place of the Contract entry; the next free one when there is none yet. */
export function contractEndpointIndex(draft: Draft): number {
  const { endpoints } = draft.metadata;
  const list = Array.isArray(endpoints) ? endpoints : [];
  const index = list.findIndex((entry) => isContractEndpoint(draft, entry));
  return index === -1 ? list.length : index;
}

/** Which draft a browser keeps: a new service, or the next version of a record. */
export type DraftKey = { chainId: number; did?: string | undefined; major?: number | undefined };

/** The part of `Storage` that drafts need. */
type TextStore = Pick<Storage, "getItem" | "setItem" | "removeItem">;

function storageKey(kind: "draft" | "publication", { chainId, did, major }: DraftKey): string {
  return `app-registry:${kind}:${chainId}:${did === undefined ? "new" : `${did}@${major}`}`;
}

/** The draft kept under a key; undefined when there is none that can be read. */
export function loadDraft(store: TextStore, key: DraftKey): Draft | undefined {
  const text = store.getItem(storageKey("draft", key));
  return text === null ? undefined : parseDraft(text);
}

/**
 * Keeps a draft.
 * @returns false when the browser refuses (private mode, full): what is typed then lives as long as the page.
 */
export function saveDraft(store: TextStore, key: DraftKey, draft: Draft): boolean {
  try {
    store.setItem(storageKey("draft", key), JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

/** Forgets a draft, once it is published or the person starts anew. */
export function deleteDraft(store: TextStore, key: DraftKey): void {
  store.removeItem(storageKey("draft", key));
}

/** Where a running publication is kept, beside its draft. */
export function publicationKey(key: DraftKey): string {
  return storageKey("publication", key);
}
