import type { McpLists } from "@app-registry/outbound/internal";
import {
  compareTools,
  isJsonObject,
  isVisible,
  type JsonObject,
  type JsonValue,
  visibleLines,
} from "@app-registry/sdk";
import { byKey, type ListedKind, offerLists } from "@app-registry/sdk/internal";

/** The lists of the protocol; an A2A agent's skills are none. */
export type McpList = Exclude<keyof McpLists, "instructions">;

/** What is done about what is not registered: withheld, passed with a warning, or passed. */
export const driftModes = ["block", "warn", "allow"] as const;

export type DriftMode = (typeof driftModes)[number];

/** Something that the server lists, or that is registered, and that is not what both say. */
type Difference = { kind: ListedKind | "instructions"; name: string; reason: string; diff: string[] };

export type Offer = {
  /** What clients are shown of each list. */
  lists: Record<McpList, JsonObject[]>;
  instructions?: string;
  /** What differs, whether it is shown or not. */
  differences: Difference[];
};

/** Most characters of a title, a description or instructions. */
const MAX_TEXT = 8_192;

const mcpLists = offerLists.flatMap(({ list, ...one }) =>
  one.kind === "skill" ? [] : [{ ...one, list: list as McpList }],
);

const reasons = {
  added: "is not registered",
  removed: "was removed",
  changed: "differs from the registered version",
};

/**
 * What of a server's lists clients are shown. With `block` every element is a copy of a registered one, made only when the
 * server lists it once and in the same form; nothing that the server says of itself is part of it.
 *
 * @param entry The registered endpoint.
 */
export function offerOf(entry: JsonObject, served: McpLists, mode: DriftMode): Offer {
  const { outcome, changes } = compareTools(entry, served as unknown as JsonObject);
  const differences: Difference[] = changes.map(({ change, breaks: _, ...rest }) => ({
    ...rest,
    reason: reasons[change],
  }));
  const lists: Offer["lists"] = { tools: [], resources: [], resourceTemplates: [], prompts: [] };
  for (const { list, kind, key } of mcpLists) {
    const offered = served[list] as unknown as JsonObject[];
    for (const [name, { _meta, ...element }] of byKey(mode === "block" ? entry[list] : offered, key)) {
      if (mode === "block" && changes.some((one) => one.kind === kind && one.name === name)) continue;
      const shown = withShortTexts(element);
      const isTwice = offered.filter((one) => one[key] === element[key]).length > 1;
      if (shown && (!isTwice || mode !== "block")) lists[list].push(shown);
      const reason = isTwice ? "is listed more than once" : "contains invisible characters";
      if (isTwice || !shown) differences.push({ kind, name, reason, diff: [] });
    }
    if (outcome !== "not-comparable") continue;
    const reason = "can't be compared because the registered document lists nothing";
    for (const name of byKey(offered, key).keys()) differences.push({ kind, name, reason, diff: [] });
  }
  const instructions = mode === "block" ? entry.instructions : served.instructions;
  const areOther = mode === "block" && entry.instructions !== served.instructions;
  return {
    lists,
    differences,
    ...(typeof instructions === "string" && !areOther && { instructions: shortText(instructions) }),
  };
}

const shortText = (text: string): string => {
  const visible = visibleLines(text);
  return visible.length <= MAX_TEXT ? visible : `${visible.slice(0, MAX_TEXT)}…`;
};

/**
 * An element whose titles and descriptions are short and visible.
 *
 * @returns undefined when other texts of it, which must stay as they are, have invisible characters.
 */
function withShortTexts(element: JsonObject): JsonObject | undefined {
  let isHidden = false;
  const keep = (text: string): string => {
    isHidden ||= !isVisible(text);
    return text;
  };
  const walk = (value: JsonValue, field?: string): JsonValue => {
    if (typeof value === "string")
      return field === "title" || field === "description" ? shortText(value) : keep(value);
    if (Array.isArray(value)) return value.map((inner) => walk(inner));
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [keep(name), walk(inner, name)]));
  };
  const shown = walk(element) as JsonObject;
  return isHidden ? undefined : shown;
}
