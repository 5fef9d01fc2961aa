import { canonicalizeValue } from "../json.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../jsonValue.ts";
import { findBreakingSchemaChange } from "./findBreakingSchemaChange.ts";

/** What a service offers, by the lists of an endpoint entry. */
export type CapabilityKind = "endpoint" | ListedKind;

/** What an endpoint entry lists. */
export type ListedKind = "tool" | "resource" | "resource template" | "prompt" | "skill";

/** One thing that a service offers, and what became of it. */
export interface CapabilityChange {
  kind: CapabilityKind;
  /** Its name, or its URI; the name of an endpoint. */
  name: string;
  change: "added" | "removed" | "changed";
  /** Why callers of the former one may break; undefined if they don't. */
  breaks?: string;
}

/** The lists of an endpoint entry, and the field by which an element is known. */
export const capabilityLists: { list: string; kind: ListedKind; key: string }[] = [
  { list: "tools", kind: "tool", key: "name" },
  { list: "resources", kind: "resource", key: "uri" },
  { list: "resourceTemplates", kind: "resource template", key: "uriTemplate" },
  { list: "prompts", kind: "prompt", key: "name" },
  { list: "skills", kind: "skill", key: "id" },
];

/**
 * Compares what two metadata JSONs offer: their endpoints, and each endpoint's tools, resources, resource templates,
 * prompts and skills. Elements are compared by their canonical form (RFC 8785), in any order. It skips what the metadata
 * schema refuses.
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

/** The endpoints of a document by name; the earlier layout's one has an empty name. */
function endpointsByName(document: JsonValue): Map<string, JsonObject> {
  if (!isJsonObject(document)) return new Map();
  const single = isJsonObject(document.endpoint) ? [["", document.endpoint] as const] : [];
  return new Map([...indexByKey(document.endpoints, "name"), ...single]);
}

/** The objects of a list by a field of theirs; of several with the same one, each by its place among them. */
export function indexByKey(list: JsonValue | undefined, key: string): Map<string, JsonObject> {
  const found = new Map<string, JsonObject>();
  // Count on from the last number of a name, so that a list of one name a thousand times costs no million steps.
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

/** The pairs of two maps that aren't the same. */
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

/** The MCP annotations by which agents decide whether to ask a person first, with what each is where it isn't said. */
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
