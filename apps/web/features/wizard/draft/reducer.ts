import {
  createProposal,
  type Discovery,
  type Finding,
  fillMetadata,
  getFindingKey,
  removeProposal,
} from "@app-registry/outbound/fill";
import {
  apiTypes,
  CONTRACT_ENDPOINT_NAME,
  endpointName,
  getAtPointer,
  Interfaces,
  type JsonObject,
  type JsonValue,
  toJsonPointer,
} from "@app-registry/sdk";
import {
  apiEndpoints,
  contractEndpointIndex,
  type Draft,
  detectInterfaces,
  emptyDraft,
  getApiTrait,
  type InterfaceBit,
  isApiTrait,
  restoreInterfaceFields,
  type StepId,
  stashInterfaceFields,
} from "./draft.ts";
import { emptyMethods } from "./fields.ts";
import { readText, removeAt, setAt, toList } from "./pointer.ts";
import { type DraftTextField, getSteps } from "./screens.ts";

/** Fields of a draft outside the metadata document. */
type DraftField = DraftTextField | "storage" | "algorithm" | "source" | "status";

type FieldAction = { [F in DraftField]: { field: F; value: Draft[F] } }[DraftField];
type ValueAction = { pointer: string; value: JsonValue | undefined };

/** Sets a value of the metadata. An empty text is omitted from the document. */
function setValue(draft: Draft, { pointer, value }: ValueAction): Draft {
  const isEmpty = value === undefined || value === "";
  const metadata = isEmpty ? clearValue(draft.metadata, pointer) : setAt(draft.metadata, pointer, value);
  return { ...draft, metadata };
}

/** Removes a value. The method of authentication that it belongs to stays declared, until it is switched off. */
function clearValue(metadata: JsonObject, pointer: string): JsonObject {
  const cleared = removeAt(metadata, pointer);
  const [, method = "", key = ""] = /^(.*\/authentication\/([^/]+))\/[^/]+$/.exec(pointer) ?? [];
  const isLost = getAtPointer(metadata, method) !== undefined && getAtPointer(cleared, method) === undefined;
  return isLost && emptyMethods.includes(key) ? setAt(cleared, method, {}) : cleared;
}

function discardText(draft: Draft, { pointer }: { pointer: string }): Draft {
  const { [pointer]: _discarded, ...texts } = draft.texts;
  return { ...draft, texts };
}

/** Adjusts values that are stored by pointer after the row `index` of the list at `pointer` was removed. */
function shiftRows<Kept>(kept: Record<string, Kept>, pointer: string, index: number): Record<string, Kept> {
  const shifted = Object.entries(kept).flatMap(([key, value]): [string, Kept][] => {
    const [row = "", ...rest] = key.startsWith(`${pointer}/`) ? key.slice(pointer.length + 1).split("/") : [];
    if (row === String(index)) return [];
    return [[Number(row) > index ? [pointer, Number(row) - 1, ...rest].join("/") : key, value]];
  });
  return Object.fromEntries(shifted);
}

function setInterface(draft: Draft, { bit, on }: { bit: InterfaceBit; on: boolean }): Draft {
  if (((draft.interfaces & bit) !== 0) === on) return draft;
  const { [bit]: returned, ...stash } = draft.stash;
  const interfaces = draft.interfaces ^ bit;
  if (on) return { ...draft, interfaces, stash, metadata: restoreInterfaceFields(draft.metadata, returned) };
  const [metadata, taken] = stashInterfaceFields(draft, bit);
  return { ...draft, interfaces, metadata, stash: { ...stash, [bit]: taken } };
}

/** Returns true if the wizard chose an endpoint's name and may change it with the API type. */
const isDefaultName = (name: JsonValue | undefined): boolean =>
  name === undefined || name === "" || apiTypes.some(({ trait }) => endpointName(trait) === name);

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

/** Effects of the actions on a draft. `pointer` is a JSON pointer into the metadata. */
const reducers = {
  field: (draft: Draft, { field, value }: FieldAction): Draft => ({
    ...draft,
    [field]: value,
    isOwnVersion: draft.isOwnVersion || field === "version",
    // A record that becomes Active again has no successor.
    metadata: field === "status" && value === "0" ? removeAt(draft.metadata, "/replacedBy") : draft.metadata,
  }),

  /** Sets the version that the changes ask for, unless the user chose one. */
  proposeVersion: (draft: Draft, { version }: { version: string }): Draft =>
    draft.isOwnVersion ? draft : { ...draft, version },

  set: setValue,

  /**
   * Applies the text of a JSON editor to the metadata if it parses. Otherwise keeps the text beside the last valid
   * value, and `draftProblems` reports the error.
   */
  text(draft: Draft, { pointer, text }: { pointer: string; text: string }): Draft {
    const open = { ...draft, texts: { ...draft.texts, [pointer]: text } };
    const { value, problem } = readText(pointer, text);
    if (problem !== undefined) return open;
    return pointer === "" ? { ...open, metadata: value as JsonObject } : setValue(open, { pointer, value });
  },

  discardText,

  /** Discards the text of an editor if it is fully applied to the metadata. */
  closeText(draft: Draft, { pointer }: { pointer: string }): Draft {
    const text = draft.texts[pointer];
    const { value, problem } = readText(pointer, text ?? "");
    const present = getAtPointer(draft.metadata, pointer);
    const isApplied = pointer === "" || JSON.stringify(value) === JSON.stringify(present);
    return text !== undefined && problem === undefined && isApplied ? discardText(draft, { pointer }) : draft;
  },

  removeRow(draft: Draft, { pointer, index }: { pointer: string; index: number }): Draft {
    const metadata = removeAt(draft.metadata, pointer + toJsonPointer([index]));
    const shift = <Kept>(kept: Record<string, Kept>) => shiftRows(kept, pointer, index);
    return { ...draft, metadata, texts: shift(draft.texts), off: shift(draft.off) };
  },

  /**
   * Removes members of the object at a pointer from the metadata, or restores those that are missing. A method of
   * authentication without required members is added as an empty object.
   */
  switch(
    draft: Draft,
    { pointer, keys, on }: { pointer: string; keys: readonly string[]; on: boolean },
  ): Draft {
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
  },

  interface: setInterface,

  /** Sets the API type: replaces the previous type's trait and renames endpoints that were named after it. */
  apiType(draft: Draft, { trait }: { trait: string }): Draft {
    if (!isApiTrait(trait)) return draft;
    const former = getApiTrait(draft.metadata);
    const others = toList(draft.metadata.traits).filter((entry) => entry !== former && entry !== trait);
    const name = endpointName(trait);
    const rows = apiEndpoints(draft);
    let metadata = setAt(draft.metadata, "/traits", [trait, ...others]);
    if (rows.length === 0)
      metadata = setAt(metadata, "/endpoints", [{ name }, ...toList(metadata.endpoints)]);
    for (const { index, entry } of rows)
      if (isDefaultName(entry.name)) metadata = setAt(metadata, `/endpoints/${index}/name`, name);
    return setInterface({ ...draft, metadata }, { bit: Interfaces.Api, on: true });
  },

  /** Sets a field of the contract's entry. Removes the entry if it has no other content. */
  contractEndpoint(draft: Draft, { key, value }: { key: "endpoint" | "schemaUrl"; value: string }): Draft {
    const row = `/endpoints/${contractEndpointIndex(draft)}`;
    const named = setAt(draft.metadata, `${row}/name`, CONTRACT_ENDPOINT_NAME);
    const next = setValue({ ...draft, metadata: named }, { pointer: `${row}/${key}`, value });
    const hasMore = Object.keys(getAtPointer(next.metadata, row) ?? {}).length > 1;
    return hasMore ? next : { ...next, metadata: removeAt(next.metadata, row) };
  },

  /**
   * Fills in a finding where the user has not entered anything else. If another finding was filled in before, removes
   * what came from it first, because a record describes one service. Without a finding, changes nothing in the form.
   */
  discovered(
    draft: Draft,
    { discovery, finding }: { discovery: Discovery; finding: Finding | undefined },
  ): Draft {
    if (finding === undefined) return { ...draft, discovery };
    const { metadata, interfaces, version } = createProposal(discovery, finding);
    const key = getFindingKey(finding);
    const isAgain = draft.chosen?.key === key;
    const former = isAgain ? null : draft.chosen;
    const base = former ? leaveService(draft, former) : draft;
    const isUntouched = draft.version === (former ?? emptyDraft()).version && !isAgain;
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
  },

  step: (draft: Draft, { step }: { step: StepId }): Draft => ({
    ...draft,
    step,
    visited: [...new Set([...draft.visited, draft.step])],
  }),

  /** Takes over the draft of another tab, and stays on this tab's screen. */
  sync(draft: Draft, { draft: { step: theirs, ...other } }: { draft: Draft }): Draft {
    const { step: own, ...content } = draft;
    // Return the same draft for the same content. Otherwise two tabs would answer each other without end.
    if (JSON.stringify(content) === JSON.stringify(other)) return draft;
    const step = own === "json" || getSteps(other.interfaces).includes(own) ? own : theirs;
    return { ...draft, ...other, step };
  },

  load: (_: Draft, { draft }: { draft: Draft }): Draft => draft,
};

/** User action on a draft. */
export type DraftAction = {
  [Type in keyof typeof reducers]: { type: Type } & Parameters<(typeof reducers)[Type]>[1];
}[keyof typeof reducers];

/** Returns the draft after an action. Pure: user input changes only where the action names it. */
export const draftReducer = (draft: Draft, action: DraftAction): Draft =>
  (reducers[action.type] as (draft: Draft, action: DraftAction) => Draft)(draft, action);
