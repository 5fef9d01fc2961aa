import { canonicalizeValue } from "../json.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../jsonValue.ts";
import { findBreakingSchemaChange } from "./findBreakingSchemaChange.ts";

/** Kind of a capability: an endpoint, or an element of its lists. */
export type CapabilityKind = "endpoint" | ListedKind;

/** Kind of a list element of an endpoint entry. */
export type ListedKind = "tool" | "resource" | "resource template" | "prompt" | "skill";

/** Change of a capability between two versions. */
export interface CapabilityChange {
  kind: CapabilityKind;
  /** Name or URI of the element, or name of the endpoint. */
  name: string;
  change: "added" | "removed" | "changed";
  /** Reason why callers of the earlier version may break; `undefined` if they do not. */
  breaks?: string;
}

/** Lists of an endpoint entry, with the field that identifies an element. */
export const capabilityLists: { list: string; kind: ListedKind; key: string }[] = [
  { list: "tools", kind: "tool", key: "name" },
  { list: "resources", kind: "resource", key: "uri" },
  { list: "resourceTemplates", kind: "resource template", key: "uriTemplate" },
  { list: "prompts", kind: "prompt", key: "name" },
  { list: "skills", kind: "skill", key: "id" },
];

/**
 * Compares the capabilities of two metadata JSONs: their endpoints, and each endpoint's tools, resources, resource
 * templates, prompts and skills. Compares elements by their canonical form (RFC 8785), in any order. Skips values that
 * the metadata schema rejects.
 *
 * @throws {JsonDocumentError} for a text that has no canonical form.
 * @example
 * const before = { endpoints: [{ name: "MCP", tools: [{ name: "echo", inputSchema: {} }] }] };
 * compareCapabilities(before, { endpoints: [{ name: "MCP", tools: [] }] });
 * // [{ kind: "tool", name: "echo", change: "removed", breaks: "it was removed" }]
 */
export function compareCapabilities(before: JsonValue, after: JsonValue): CapabilityChange[] {
  const [former, latter] = [endpointsByName(before), endpointsByName(after)];
  return diffMaps(former, latter).flatMap(({ name, from, to }) => {
    if (!from || !to) return [offerChange("endpoint", name, from, to)];
    const inner = capabilityLists.flatMap(({ list, kind, key }) =>
      diffMaps(indexByKey(from[list], key), indexByKey(to[list], key)).map((pair) =>
        offerChange(kind, pair.name, pair.from, pair.to),
      ),
    );
    const rest = (entry: JsonObject) =>
      canonicalizeValue(Object.fromEntries(Object.entries(entry).filter(([field]) => !isList(field))));
    const isMoved = rest(from) !== rest(to);
    return [...(isMoved ? [{ kind: "endpoint" as const, name, change: "changed" as const }] : []), ...inner];
  });
}

const isList = (field: string): boolean => capabilityLists.some(({ list }) => list === field);

/** Returns the endpoints of a document by name. The earlier layout's endpoint has an empty name. */
function endpointsByName(document: JsonValue): Map<string, JsonObject> {
  if (!isJsonObject(document)) return new Map();
  const single = isJsonObject(document.endpoint) ? [["", document.endpoint] as const] : [];
  return new Map([...indexByKey(document.endpoints, "name"), ...single]);
}

/** Returns the objects of a list by the value of a field. Numbers the objects that have the same value. */
export function indexByKey(list: JsonValue | undefined, key: string): Map<string, JsonObject> {
  const found = new Map<string, JsonObject>();
  // Continue from the last number of a name. Otherwise a list with the same name 1,000 times takes a million steps.
  const numbers = new Map<string, number>();
  for (const element of Array.isArray(list) ? list : []) {
    if (!isJsonObject(element)) continue;
    const name = String(element[key] ?? "");
    let place = name;
    let number = numbers.get(name) ?? 2;
    for (; found.has(place); number += 1) place = `${name} (${number})`;
    numbers.set(name, number);
    found.set(place, element);
  }
  return found;
}

export const isSameCanonicalJson = (from: JsonObject, to: JsonObject) =>
  canonicalizeValue(from) === canonicalizeValue(to);

/** Returns the pairs of two maps that are not the same. */
export function diffMaps(
  before: Map<string, JsonObject>,
  after: Map<string, JsonObject>,
  isSame = isSameCanonicalJson,
) {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => {
    const [from, to] = [before.get(name), after.get(name)];
    return from && to && isSame(from, to) ? [] : [{ name, from, to }];
  });
}

export function offerChange(
  kind: CapabilityKind,
  name: string,
  from: JsonObject | undefined,
  to: JsonObject | undefined,
): CapabilityChange {
  if (!from) return { kind, name, change: "added" };
  if (!to) return { kind, name, change: "removed", breaks: "it was removed" };
  const breaks =
    kind === "tool"
      ? findBreakingToolChange(from, to)
      : kind === "prompt"
        ? findBreakingPromptChange(from, to)
        : undefined;
  return { kind, name, change: "changed", ...(breaks !== undefined && { breaks }) };
}

/** MCP annotations that agents use to decide if a person must confirm a call: the safe value, and the default. */
const riskAnnotations = {
  readOnlyHint: [true, false],
  destructiveHint: [false, true],
  openWorldHint: [false, true],
} as const;

function findBreakingToolChange(from: JsonObject, to: JsonObject): string | undefined {
  const input = findBreakingSchemaChange(from.inputSchema ?? {}, to.inputSchema ?? {}, "input");
  if (input !== undefined) return input;
  const output =
    from.outputSchema === undefined
      ? undefined
      : to.outputSchema === undefined
        ? "its outputSchema was removed"
        : findBreakingSchemaChange(from.outputSchema, to.outputSchema, "output");
  if (output !== undefined) return output;
  const hint = (tool: JsonObject, name: keyof typeof riskAnnotations) => {
    const value = isJsonObject(tool.annotations) ? tool.annotations[name] : undefined;
    return typeof value === "boolean" ? value : riskAnnotations[name][1];
  };
  const lost = (Object.keys(riskAnnotations) as (keyof typeof riskAnnotations)[]).find((name) => {
    const [safe] = riskAnnotations[name];
    return hint(from, name) === safe && hint(to, name) !== safe;
  });
  return lost === undefined ? undefined : `its ${lost} is no longer ${riskAnnotations[lost][0]}`;
}

function findBreakingPromptChange(from: JsonObject, to: JsonObject): string | undefined {
  const [former, latter] = [indexByKey(from.arguments, "name"), indexByKey(to.arguments, "name")];
  for (const name of former.keys()) if (!latter.has(name)) return `${name} was removed`;
  for (const [name, { required }] of latter) {
    if (required === true && former.get(name)?.required !== true) return `it now requires ${name}`;
  }
  return undefined;
}
