import { isJsonObject, toJsonPointer, type Version, visibleLines, visibleText } from "@app-registry/sdk";
import { create, type Delta } from "jsondiffpatch";
import { useEffect, useState } from "react";
import { LinkButton } from "../controls/controls.tsx";
import { Problem } from "./Problem.tsx";
import { readRecordedDocument } from "./readRecordedDocument.ts";
import styles from "./record.module.css";

type VersionDiffProps = { did: string; from: Version; to: Version };

type Reading =
  | { state: "reading" }
  | { state: "read"; before: unknown; after: unknown }
  | { state: "failed"; why: string };

async function readBoth({ did, from, to }: VersionDiffProps): Promise<Reading> {
  try {
    const documents = [readRecordedDocument(did, from), readRecordedDocument(did, to)];
    const [before, after] = await Promise.all(documents);
    return { state: "read", before, after };
  } catch (error) {
    return { state: "failed", why: error instanceof Error ? error.message : String(error) };
  }
}

/** Loads the documents of two versions and shows their differences. */
export function VersionDiff({ did, from, to }: VersionDiffProps) {
  const [reading, setReading] = useState<Reading>({ state: "reading" });
  useEffect(() => {
    if (reading.state === "reading") void readBoth({ did, from, to }).then(setReading);
  }, [reading.state, did, from, to]);

  if (reading.state === "reading") return <p role="status">Comparing versions…</p>;
  if (reading.state === "read") return <DiffView before={reading.before} after={reading.after} />;
  return (
    <Problem
      level={3}
      tone="unknown"
      title="Couldn't compare the documents"
      why={reading.why}
      action={<LinkButton onClick={() => setReading({ state: "reading" })}>Read them again</LinkButton>}
    />
  );
}

/** Sign and word of each kind of change. */
const kinds = {
  added: { sign: "+", word: "added" },
  removed: { sign: "−", word: "removed" },
  changed: { sign: "~", word: "changed" },
  moved: { sign: "↕", word: "moved" },
} as const;

type DiffViewProps = {
  /** Earlier and later JSON document. */
  before: unknown;
  after: unknown;
};

/** Renders the differences of two JSON documents as untrusted text, without links. */
export function DiffView({ before, after }: DiffViewProps) {
  const changes = documentChanges(before, after);
  if (changes.length === 0) return <p className="soft">The documents are identical.</p>;
  return (
    <ul className="ruled small">
      {changes.map((change) => (
        <li key={`${change.kind} ${change.pointer}`}>
          <p className="row">
            <span className="mono quiet" aria-hidden="true">
              {kinds[change.kind].sign}
            </span>
            <span className="strong anywhere" title={change.pointer}>
              <bdi>{visibleText(change.path.join(" › ")) || "entire document"}</bdi>
            </span>
            <span className="quiet">{kinds[change.kind].word}</span>
          </p>
          <Values change={change} />
        </li>
      ))}
    </ul>
  );
}

function Values({ change }: { change: DocumentChange }) {
  const before =
    "before" in change ? <del className={`mono ${styles.before}`}>{toText(change.before)}</del> : null;
  const after =
    "after" in change ? <ins className={`mono ${styles.after}`}>{toText(change.after)}</ins> : null;
  if (before === null && after === null) return null;
  return (
    <div className="stack">
      {before}
      {after}
    </div>
  );
}

const toText = (value: unknown): string =>
  visibleLines(typeof value === "string" ? value : JSON.stringify(value, null, 2)) || '""';

/** A difference between two JSON documents. */
type DocumentChange = {
  /** RFC 6901 pointer into the later document, or into the earlier one if the value was removed. */
  pointer: string;
  /** Path for readers: keys, and for an entry of a list its name, or its position from 1. */
  path: string[];
} & (
  | { kind: "added"; after: unknown }
  | { kind: "removed"; before: unknown }
  | { kind: "changed"; before: unknown; after: unknown }
  | { kind: "moved" }
);

/** Returns the text that identifies an entry in its list: a name, a URI (resources) or a URL (payments). */
function getName(entry: unknown): string | undefined {
  if (!isJsonObject(entry)) return undefined;
  const name = [entry.name, entry.uri, entry.url].find((value) => typeof value === "string");
  return typeof name === "string" ? name : undefined;
}

const differ = create({ objectHash: (entry, place) => getName(plain(entry)) ?? `item ${place}` });

/**
 * Prefixes keys with a dot for the comparison. Without it, the library would read inherited members such as `valueOf`
 * and treat `_t` as its own marker.
 */
const prefixKeys = (value: unknown): unknown => withKeys(value, (key) => `.${key}`);
const plain = (value: unknown): unknown => withKeys(value, (key) => key.slice(1));

function withKeys(value: unknown, edit: (key: string) => string): unknown {
  if (Array.isArray(value)) return value.map((entry) => withKeys(entry, edit));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [edit(key), withKeys(inner, edit)]));
}

/**
 * Returns the differences between two JSON documents. Returns none if both have the same canonical form (RFC 8785).
 * Entries of a list are matched by name, so that an added tool does not change all tools after it.
 */
export function documentChanges(before: unknown, after: unknown): DocumentChange[] {
  return toDocumentChanges(differ.diff(prefixKeys(before), prefixKeys(after)), [], { before, after });
}

type Documents = { before: unknown; after: unknown };

/** Reads a delta of jsondiffpatch: an array is a change, an object leads to the changes inside. */
function toDocumentChanges(delta: Delta, keys: string[], documents: Documents): DocumentChange[] {
  const { before, after } = documents;
  if (delta === undefined) return [];
  if (Array.isArray(delta)) {
    const [first, second, kind] = [plain(delta[0]), plain(delta[1]), delta[2] as number | undefined];
    if (delta.length === 1) return [{ kind: "added", ...getPlace(keys, after), after: first }];
    if (kind === 0) return [{ kind: "removed", ...getPlace(keys, before), before: first }];
    if (kind === undefined) {
      return [{ kind: "changed", ...getPlace(keys, after), before: first, after: second }];
    }
    return [{ kind: "moved", ...getPlace([...keys.slice(0, -1), String(second)], after) }];
  }
  const entries = Object.entries(delta as Record<string, Delta>);
  if (!("_t" in delta && delta._t === "a")) {
    return entries.flatMap(([key, inner]) => toDocumentChanges(inner, [...keys, key.slice(1)], documents));
  }
  // jsondiffpatch marks an index of the earlier list with a leading underscore.
  return entries
    .filter(([key]) => key !== "_t")
    .map(([key, inner]) => ({ earlier: key.startsWith("_"), index: key.replace("_", ""), inner }))
    .sort(
      (one, other) => Number(one.index) - Number(other.index) || Number(other.earlier) - Number(one.earlier),
    )
    .flatMap(({ index, inner }) => toDocumentChanges(inner, [...keys, index], documents));
}

function getPlace(keys: string[], document: unknown): Pick<DocumentChange, "pointer" | "path"> {
  const path: string[] = [];
  let value = document;
  for (const key of keys) {
    const inList = Array.isArray(value);
    value = (value as Record<string, unknown> | undefined)?.[key];
    path.push(inList ? (getName(value) ?? String(Number(key) + 1)) : key);
  }
  const pointer = toJsonPointer(keys);
  return { pointer, path };
}
