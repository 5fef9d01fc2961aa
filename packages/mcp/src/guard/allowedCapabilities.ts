import { isDeeperThan, type McpLists, mcpLists, printable } from "@app-registry/outbound/internal";
import {
  type CapabilityKind,
  compareTools,
  isJsonObject,
  isVisible,
  type JsonObject,
  type JsonValue,
  MAX_JSON_DEPTH,
  visibleLines,
} from "@app-registry/sdk";
import { isSpecType } from "@modelcontextprotocol/server";

/** Lists of MCP, which do not include an A2A agent's skills. */
type McpList = Exclude<keyof McpLists, "instructions">;

/** Modes for elements that differ from the registered version: hide them, pass them with a warning, or pass them. */
export const driftModes = ["block", "warn", "allow"] as const;

export type DriftMode = (typeof driftModes)[number];

/** Difference between the server's lists and the registered version. */
type Difference = { kind: CapabilityKind; name: string; reason: string; diff: string[] };

export type AllowedCapabilities = {
  /** Elements of each list that clients may see. */
  lists: Record<McpList, JsonObject[]>;
  instructions?: string;
  /** All differences, hidden or not. */
  differences: Difference[];
};

/** Maximum length of a title, a description or instructions, in characters. */
const MAX_TEXT = 8_192;

/** Type guards for the elements of each list. A client rejects a whole list because of one invalid element. */
const isElement: Record<McpList, (element: unknown) => boolean> = {
  tools: isSpecType.Tool,
  resources: isSpecType.Resource,
  resourceTemplates: isSpecType.ResourceTemplate,
  prompts: isSpecType.Prompt,
};

const reasons = {
  added: "is not registered",
  removed: "was removed",
  changed: "differs from the registered version",
};

/**
 * Filters a server's lists down to what clients may see. With `block`, returns copies of those registered elements that
 * the server lists exactly once and in the same form, so nothing comes from the server itself.
 *
 * @param entry Registered endpoint entry.
 */
export function filterCapabilities(
  entry: JsonObject,
  served: McpLists,
  mode: DriftMode,
): AllowedCapabilities {
  const differences: Difference[] = [];
  const lists: AllowedCapabilities["lists"] = {
    tools: [],
    resources: [],
    resourceTemplates: [],
    prompts: [],
  };
  const registered: JsonObject = {};
  const listed: JsonObject = { instructions: served.instructions as JsonValue };
  const unfit = new Map<string, string>();
  for (const { list, kind, key } of mcpLists) {
    for (const [elements, comparable] of [
      [entry[list], registered],
      [served[list], listed],
    ] as const) {
      if (!Array.isArray(elements)) continue;
      const { unique, problems } = byName(elements, key);
      comparable[list] = [...unique.values()];
      for (const [name, reason] of problems) unfit.set(getPlace(kind, name), reason);
    }
  }
  if (entry.instructions !== undefined) registered.instructions = entry.instructions;
  const { outcome, changes } = compareTools(registered, listed, { brief: true, breaks: false });
  const changed = new Set<string>();
  for (const { change, ...rest } of changes) {
    const place = getPlace(rest.kind, rest.name);
    changed.add(place);
    if (!unfit.has(place)) differences.push({ ...rest, reason: reasons[change] });
  }
  for (const { list, kind, key } of mcpLists) {
    const source = (mode === "block" ? registered : listed)[list] as JsonObject[] | undefined;
    for (const { _meta, ...element } of source ?? []) {
      const place = getPlace(kind, element[key]);
      if (mode === "block" && (changed.has(place) || unfit.has(place))) continue;
      const shown = sanitizeElement(element);
      if (!shown) unfit.set(place, "contains invisible characters");
      else if (!isElement[list](shown)) unfit.set(place, "is not valid MCP");
      else lists[list].push(shown);
    }
    for (const [place, reason] of unfit) {
      const start = getPlace(kind, "");
      if (!place.startsWith(start)) continue;
      differences.push({ kind, name: place.slice(start.length), reason, diff: [] });
      unfit.delete(place);
    }
    if (outcome !== "not-comparable") continue;
    const reason = "can't be compared because the registered document lists nothing";
    for (const { [key]: name } of listed[list] as JsonObject[])
      differences.push({ kind, name: String(name), reason, diff: [] });
  }
  const instructions = mode === "block" ? entry.instructions : served.instructions;
  const areOther = mode === "block" && entry.instructions !== served.instructions;
  return {
    lists,
    differences,
    ...(typeof instructions === "string" && !areOther && { instructions: truncateText(instructions) }),
  };
}

/** Returns a unique key for an element of any list. No kind, followed by a colon, is a prefix of another. */
const getPlace = (kind: Difference["kind"], name: unknown): string => `${kind}: ${name}`;

/** Returns the comparable elements of a list by name, and the problems of the others. */
function byName(elements: readonly JsonValue[], key: string) {
  const unique = new Map<string, JsonObject>();
  const problems = new Map<string, string>();
  for (const element of elements) {
    const name = isJsonObject(element) ? element[key] : undefined;
    if (typeof name !== "string") problems.set("", "has no name");
    else if (unique.has(name)) problems.set(name, "is listed more than once");
    else if (isDeeperThan(MAX_JSON_DEPTH, element)) problems.set(name, "is nested too deeply");
    else unique.set(name, element as JsonObject);
  }
  return { unique, problems };
}

const truncateText = (text: string): string => {
  const visible = visibleLines(text);
  return visible.length <= MAX_TEXT ? visible : `${visible.slice(0, MAX_TEXT)}…`;
};

/**
 * Returns an element with its titles and descriptions truncated and without invisible characters. Returns `undefined`
 * if another text, which must not change, has invisible characters.
 */
function sanitizeElement(element: JsonObject): JsonObject | undefined {
  let isHidden = false;
  const keep = (text: string): string => {
    isHidden ||= !isVisible(text);
    return text;
  };
  const walk = (value: JsonValue, field?: string): JsonValue => {
    if (typeof value === "string")
      return field === "title" || field === "description" ? truncateText(value) : keep(value);
    if (Array.isArray(value)) return value.map((inner) => walk(inner));
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [keep(name), walk(inner, name)]));
  };
  const shown = walk(element) as JsonObject;
  return isHidden ? undefined : shown;
}

/** Kind and name of the element that a client requests. */
export type RequestedCapability = {
  kind: "tool" | "prompt" | "resource" | "resource template";
  name: string;
};

const capabilityPlaces: Record<RequestedCapability["kind"], [McpList, key: string]> = {
  tool: ["tools", "name"],
  prompt: ["prompts", "name"],
  resource: ["resources", "uri"],
  "resource template": ["resourceTemplates", "uriTemplate"],
};

/** Returns the requested element if clients may see it. */
export function findElement(
  { lists }: AllowedCapabilities,
  { kind, name }: RequestedCapability,
): JsonObject | undefined {
  const [list, key] = capabilityPlaces[kind];
  return lists[list].find((element) => element[key] === name);
}

/** Maximum number of lines to show of a difference, and in a minute. */
const MAX_NOTES = 100;

const MINUTE_MS = 60_000;

/**
 * Creates a function that reports differences between a server's lists and the registered version. Reports each state
 * once, and at most 100 lines in a minute: a server can return another list at each request.
 */
export function createDriftReport(options: {
  did: string;
  onDrift: DriftMode;
  note: (line: string) => void;
  /** Returns the current time, in milliseconds. */
  now: () => number;
}) {
  const { did, onDrift, note, now } = options;
  let reported = "";
  let left = MAX_NOTES;
  let beganAt = now();

  return (version: string, differences: AllowedCapabilities["differences"]): void => {
    if (onDrift === "allow") return;
    if (now() - beganAt >= MINUTE_MS) {
      beganAt = now();
      left = MAX_NOTES;
    }
    const lines = differences.flatMap(({ kind, name, reason, diff }) => [
      `  ${kind} ${printable(name)} ${reason}`,
      ...diff.map((line) => `    ${printable(line, 400)}`),
    ]);
    const drift = lines.join("\n");
    if (drift === reported || left === 0) return;
    reported = drift;
    const what = onDrift === "block" ? "Blocked from" : "Different from the registered version, from";
    const head = drift === "" ? `${did} matches the registered version again.` : `${what} ${did} ${version}:`;
    const shown = [head, ...lines].slice(0, left);
    shown.forEach(note);
    left -= shown.length;
    if (shown.length <= lines.length) note(`  … and ${lines.length + 1 - shown.length} more lines`);
    else if (left === 0) note("  … and no more lines for a minute");
  };
}

/** Lists the terms of x402 in a tool's result, structured and as text, because a client may read either. */
export function listPaymentTerms(result: unknown): JsonObject[] {
  const { structuredContent, content } = result as JsonObject;
  const texts = (Array.isArray(content) ? content : []).map((one) => (isJsonObject(one) ? one.text : ""));
  return [structuredContent, ...texts.map(parseTerms)].filter(
    (one): one is JsonObject => isJsonObject(one) && Array.isArray(one.accepts),
  );
}

/** Parses like a client, also a text with duplicate keys. Skips other texts, which may be long. */
function parseTerms(text: JsonValue | undefined): JsonValue | undefined {
  if (typeof text !== "string" || !/^\s*\{/.test(text) || !text.includes("accepts")) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
