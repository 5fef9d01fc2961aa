import {
  createProposal,
  type Discovery,
  type Finding,
  fillMetadata,
  getFindingKey,
  removeProposal,
} from "@app-registry/outbound/fill";
import {
  CONTRACT_ENDPOINT_NAME,
  endpointName,
  getAtPointer,
  Interfaces,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJsonStrict,
  toJsonPointer,
} from "@app-registry/sdk";
import {
  apiEndpoints,
  apiTraits,
  contractEndpointIndex,
  type Draft,
  detectInterfaces,
  emptyDraft,
  getApiTrait,
  type InterfaceBit,
  isDefaultEndpointName,
  restoreInterfaceFields,
  type StepId,
  stashInterfaceFields,
} from "./draft.ts";
import { emptyMethods } from "./endpointFields.ts";
import { isWithin, removeAt, setAt } from "./pointer.ts";
import { getSteps } from "./screens.ts";

/** Fields of a draft outside the metadata document. */
type DraftField =
  | "did"
  | "version"
  | "contractId"
  | "fungibleTokenId"
  | "dataUrl"
  | "storage"
  | "algorithm"
  | "source"
  | "status";

/** User action on a draft. `pointer` is a JSON pointer into the metadata. */
export type DraftAction =
  | { [F in DraftField]: { type: "field"; field: F; value: Draft[F] } }[DraftField]
  | { type: "set"; pointer: string; value: JsonValue | undefined }
  | { type: "text"; pointer: string; text: string }
  | { type: "closeText"; pointer: string }
  | { type: "discardText"; pointer: string }
  | { type: "addRow"; pointer: string; value: JsonValue }
  | { type: "setRow"; pointer: string; index: number; value: JsonValue }
  | { type: "removeRow"; pointer: string; index: number }
  | { type: "switch"; pointer: string; keys: readonly string[]; on: boolean }
  | { type: "interface"; bit: InterfaceBit; on: boolean }
  | { type: "apiType"; trait: string }
  | { type: "contractEndpoint"; key: "endpoint" | "schemaUrl"; value: string }
  | { type: "discovered"; discovery: Discovery; finding: Finding | undefined }
  /** Sets the version that the changes ask for, unless the user chose one. */
  | { type: "proposeVersion"; version: string }
  /** Takes over the draft of another tab, and stays on this tab's screen. */
  | { type: "sync"; draft: Draft }
  | { type: "step"; step: StepId }
  | { type: "load"; draft: Draft };

function setValue(draft: Draft, pointer: string, value: JsonValue | undefined): Draft {
  const metadata =
    value === undefined || value === ""
      ? clearValue(draft.metadata, pointer)
      : setAt(draft.metadata, pointer, value);
  return { ...draft, metadata };
}

/** Removes a value. The method of authentication that it belongs to stays declared, until it is switched off. */
function clearValue(metadata: JsonObject, pointer: string): JsonObject {
  const cleared = removeAt(metadata, pointer);
  const [, method = "", key = ""] = /^(.*\/authentication\/([^/]+))\/[^/]+$/.exec(pointer) ?? [];
  const isLost = getAtPointer(metadata, method) !== undefined && getAtPointer(cleared, method) === undefined;
  return isLost && emptyMethods.includes(key) ? setAt(cleared, method, {}) : cleared;
}

/**
 * Parses the text of a JSON editor. Returns `undefined` if it does not parse, or if the whole document is not an
 * object.
 */
function readText(pointer: string, text: string): { value: JsonValue | undefined } | undefined {
  if (text.trim() === "") return pointer === "" ? undefined : { value: undefined };
  try {
    const value = parseJsonStrict(text) as JsonValue;
    return pointer !== "" || isJsonObject(value) ? { value } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Applies the text of a JSON editor to the metadata if it parses. Otherwise keeps the text beside the last valid value,
 * and `draftProblems` reports the error.
 */
function setText(draft: Draft, pointer: string, text: string): Draft {
  const open = { ...draft, texts: { ...draft.texts, [pointer]: text } };
  const read = readText(pointer, text);
  if (read === undefined) return open;
  return pointer === ""
    ? { ...open, metadata: read.value as JsonObject }
    : setValue(open, pointer, read.value);
}

/** Returns true if the text of an editor is fully applied to the metadata. */
function isApplied(draft: Draft, pointer: string, text: string): boolean {
  const read = readText(pointer, text);
  if (read === undefined || pointer === "") return read !== undefined;
  return JSON.stringify(read.value) === JSON.stringify(getAtPointer(draft.metadata, pointer));
}

function closeText(draft: Draft, pointer: string): Draft {
  const text = draft.texts[pointer];
  return text === undefined || !isApplied(draft, pointer, text) ? draft : discardText(draft, pointer);
}

function discardText(draft: Draft, pointer: string): Draft {
  const { [pointer]: _discarded, ...texts } = draft.texts;
  return { ...draft, texts };
}

/** Adjusts values that are stored by pointer after the row `index` of the list at `pointer` was removed. */
function shiftRows<Kept>(kept: Record<string, Kept>, pointer: string, index: number): Record<string, Kept> {
  const shifted: Record<string, Kept> = {};
  for (const [key, value] of Object.entries(kept)) {
    const row = isWithin(key, pointer) ? Number(key.slice(pointer.length + 1).split("/")[0]) : Number.NaN;
    if (row === index) continue;
    const moved = row > index ? key.replace(rowPointer(pointer, row), rowPointer(pointer, row - 1)) : key;
    shifted[moved] = value;
  }
  return shifted;
}

const rowPointer = (pointer: string, row: number): string => pointer + toJsonPointer([row]);

function removeRow(draft: Draft, pointer: string, index: number): Draft {
  const metadata = removeAt(draft.metadata, rowPointer(pointer, index));
  const shift = <Kept>(kept: Record<string, Kept>) => shiftRows(kept, pointer, index);
  return { ...draft, metadata, texts: shift(draft.texts), off: shift(draft.off) };
}

/**
 * Removes members of the object at a pointer from the metadata, or restores those that are missing. A method of
 * authentication without required members is added as an empty object.
 */
function switchMembers(draft: Draft, pointer: string, keys: readonly string[], on: boolean): Draft {
  const place = pointer + toJsonPointer(keys.slice(0, 1));
  const { [place]: kept = {}, ...off } = draft.off;
  let { metadata } = draft;
  const taken: JsonObject = {};
  for (const key of keys) {
    const at = pointer + toJsonPointer([key]);
    const present = getAtPointer(metadata, at);
    const returned = kept[key] ?? (emptyMethods.includes(key) ? {} : undefined);
    if (on && present === undefined && returned !== undefined) metadata = setAt(metadata, at, returned);
    if (on || present === undefined) continue;
    taken[key] = present;
    metadata = removeAt(metadata, at);
  }
  return { ...draft, metadata, off: on ? off : { ...off, [place]: taken } };
}

function addRow(draft: Draft, pointer: string, value: JsonValue): Draft {
  const list = getAtPointer(draft.metadata, pointer);
  return setValue(draft, pointer, [...(Array.isArray(list) ? list : []), value]);
}

function setInterface(draft: Draft, bit: InterfaceBit, on: boolean): Draft {
  if (((draft.interfaces & bit) !== 0) === on) return draft;
  const interfaces = draft.interfaces ^ bit;
  if (on) {
    const metadata = restoreInterfaceFields(draft.metadata, draft.stash[bit]);
    const { [bit]: _returned, ...stash } = draft.stash;
    return { ...draft, interfaces, metadata, stash };
  }
  const [metadata, taken] = stashInterfaceFields(draft, bit);
  return { ...draft, interfaces, metadata, stash: { ...draft.stash, [bit]: taken } };
}

/** Sets the API type: replaces the previous type's trait and renames endpoints that were named after it. */
function setApiType(draft: Draft, trait: string): Draft {
  const former = apiTraits(draft.metadata)[0];
  const list = draft.metadata.traits;
  const others = (Array.isArray(list) ? list : []).filter((entry) => entry !== former && entry !== trait);
  let metadata = setAt(draft.metadata, "/traits", [trait, ...others]);
  const rows = apiEndpoints({ ...draft, metadata });
  if (rows.length === 0) {
    const list = Array.isArray(metadata.endpoints) ? metadata.endpoints : [];
    metadata = setAt(metadata, "/endpoints", [{ name: endpointName(trait) }, ...list]);
  }
  for (const { index, entry } of rows) {
    if (isDefaultEndpointName(entry.name)) {
      metadata = setAt(metadata, toJsonPointer(["endpoints", index, "name"]), endpointName(trait));
    }
  }
  return setInterface({ ...draft, metadata }, Interfaces.Api, true);
}

/** Sets a field of the contract's entry. Removes the entry if it has no other content. */
function setContractEndpoint(draft: Draft, key: string, value: string): Draft {
  const row = toJsonPointer(["endpoints", contractEndpointIndex(draft)]);
  const named = setValue(setValue(draft, `${row}/name`, CONTRACT_ENDPOINT_NAME), `${row}/${key}`, value);
  const entry = getAtPointer(named.metadata, row);
  if (!isJsonObject(entry) || Object.keys(entry).length > 1) return named;
  return { ...named, metadata: removeAt(named.metadata, row) };
}

/**
 * Fills in a finding where the user has not entered anything else. If another finding was filled in before, removes
 * what came from it first, because a record describes one service. Without a finding, changes nothing in the form.
 */
function setDiscovery(draft: Draft, discovery: Discovery, finding: Finding | undefined): Draft {
  if (finding === undefined) return { ...draft, discovery };
  const { metadata, interfaces, version } = createProposal(discovery, finding);
  const key = getFindingKey(finding);
  const former = draft.chosen?.key === key ? null : draft.chosen;
  const base = former ? leaveService(draft, former) : draft;
  const isUntouched = draft.version === (former ?? emptyDraft()).version && draft.chosen?.key !== key;
  const isDidOpen = draft.did === "" || draft.did === getOnlyDid(draft.discovery);
  return {
    ...base,
    did: (isDidOpen ? getOnlyDid(discovery) : undefined) ?? draft.did,
    discovery,
    chosen: { key, interfaces, version },
    metadata: fillMetadata(base.metadata, metadata, base.read).metadata,
    read: metadata,
    interfaces: base.interfaces | interfaces,
    version: isUntouched ? version : draft.version,
  };
}

/** Returns the DID of a discovery that has only one. */
const getOnlyDid = (discovery: Discovery | null): string | undefined =>
  discovery?.dids.length === 1 ? discovery.dids[0]?.did : undefined;

/** Removes what came from a finding, and the texts and values set aside that belong to parts of it. */
function leaveService(draft: Draft, { interfaces }: NonNullable<Draft["chosen"]>): Draft {
  const metadata = removeProposal(draft.metadata, draft.read);
  const stash = Object.fromEntries(
    Object.entries(draft.stash).map(([bit, fields]) => [bit, removeProposal(fields, draft.read)]),
  );
  const kept = ~interfaces | detectInterfaces(metadata);
  return { ...draft, metadata, stash, read: {}, interfaces: draft.interfaces & kept, texts: {}, off: {} };
}

function goTo(draft: Draft, step: StepId): Draft {
  const visited = draft.visited.includes(draft.step) ? draft.visited : [...draft.visited, draft.step];
  return { ...draft, step, visited };
}

function sync(draft: Draft, { step: theirs, ...other }: Draft): Draft {
  const { step: own, ...content } = draft;
  // Return the same draft for the same content. Otherwise two tabs would answer each other without end.
  if (JSON.stringify(content) === JSON.stringify(other)) return draft;
  const step = own === "json" || getSteps(other.interfaces).includes(own) ? own : theirs;
  return { ...draft, ...other, step };
}

/** Returns the draft after an action. Pure: user input changes only where the action names it. */
export function draftReducer(draft: Draft, action: DraftAction): Draft {
  switch (action.type) {
    case "field":
      return {
        ...draft,
        [action.field]: action.value,
        isOwnVersion: draft.isOwnVersion || action.field === "version",
      };
    case "proposeVersion":
      return draft.isOwnVersion ? draft : { ...draft, version: action.version };
    case "sync":
      return sync(draft, action.draft);
    case "set":
      return setValue(draft, action.pointer, action.value);
    case "text":
      return setText(draft, action.pointer, action.text);
    case "closeText":
      return closeText(draft, action.pointer);
    case "discardText":
      return discardText(draft, action.pointer);
    case "addRow":
      return addRow(draft, action.pointer, action.value);
    case "setRow":
      return {
        ...draft,
        metadata: setAt(draft.metadata, rowPointer(action.pointer, action.index), action.value),
      };
    case "removeRow":
      return removeRow(draft, action.pointer, action.index);
    case "switch":
      return switchMembers(draft, action.pointer, action.keys, action.on);
    case "interface":
      return setInterface(draft, action.bit, action.on);
    case "apiType":
      return getApiTrait(action.trait) === undefined ? draft : setApiType(draft, action.trait);
    case "contractEndpoint":
      return setContractEndpoint(draft, action.key, action.value);
    case "discovered":
      return setDiscovery(draft, action.discovery, action.finding);
    case "step":
      return goTo(draft, action.step);
    case "load":
      return action.draft;
  }
}
