import { canonicalizeValue } from "../json.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../jsonValue.ts";
import { schemaNarrowing } from "./schemaNarrowing.ts";

/** What a service offers, by the lists of an endpoint entry. */
export type OfferKind = "endpoint" | ListedKind;

/** What an endpoint entry lists. */
export type ListedKind = "tool" | "resource" | "resource template" | "prompt" | "skill";

/** One thing that a service offers, and what became of it. */
export interface OfferChange {
  kind: OfferKind;
  /** Its name, or its URI; the name of an endpoint. */
  name: string;
  change: "added" | "removed" | "changed";
  /** Why callers of the former one may break; undefined if they don't. */
  breaks?: string;
}

/** The lists of an endpoint entry, and the field by which an element is known. */
export const offerLists: { list: string; kind: ListedKind; key: string }[] = [
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
 * compareOffers(before, { endpoints: [{ name: "MCP", tools: [] }] });
 * // [{ kind: "tool", name: "echo", change: "removed", breaks: "it was removed" }]
 */
export function compareOffers(before: JsonValue, after: JsonValue): OfferChange[] {
  const [former, latter] = [endpointsByName(before), endpointsByName(after)];
  return compareMaps(former, latter).flatMap(({ name, from, to }) => {
    if (!from || !to) return [offerChange("endpoint", name, from, to)];
    const inner = offerLists.flatMap(({ list, kind, key }) =>
      compareMaps(byKey(from[list], key), byKey(to[list], key)).map((pair) =>
        offerChange(kind, pair.name, pair.from, pair.to),
      ),
    );
    const rest = (entry: JsonObject) =>
      canonicalizeValue(Object.fromEntries(Object.entries(entry).filter(([field]) => !isList(field))));
    const isMoved = rest(from) !== rest(to);
    return [...(isMoved ? [{ kind: "endpoint" as const, name, change: "changed" as const }] : []), ...inner];
  });
}

const isList = (field: string): boolean => offerLists.some(({ list }) => list === field);

/** The endpoints of a document by name; the earlier layout's one has an empty name. */
function endpointsByName(document: JsonValue): Map<string, JsonObject> {
  if (!isJsonObject(document)) return new Map();
  const single = isJsonObject(document.endpoint) ? [["", document.endpoint] as const] : [];
  return new Map([...byKey(document.endpoints, "name"), ...single]);
}

/** The objects of a list by a field of theirs; of several with the same one, each by its place among them. */
export function byKey(list: JsonValue | undefined, key: string): Map<string, JsonObject> {
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

export const haveSameForm = (from: JsonObject, to: JsonObject) =>
  canonicalizeValue(from) === canonicalizeValue(to);

/** The pairs of two maps that aren't the same. */
export function compareMaps(
  before: Map<string, JsonObject>,
  after: Map<string, JsonObject>,
  isSame = haveSameForm,
) {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => {
    const [from, to] = [before.get(name), after.get(name)];
    return from && to && isSame(from, to) ? [] : [{ name, from, to }];
  });
}

export function offerChange(
  kind: OfferKind,
  name: string,
  from: JsonObject | undefined,
  to: JsonObject | undefined,
): OfferChange {
  if (!from) return { kind, name, change: "added" };
  if (!to) return { kind, name, change: "removed", breaks: "it was removed" };
  const breaks =
    kind === "tool" ? brokenTool(from, to) : kind === "prompt" ? brokenPrompt(from, to) : undefined;
  return { kind, name, change: "changed", ...(breaks !== undefined && { breaks }) };
}

/** The MCP annotations by which agents decide whether to ask a person first, with what each is where it isn't said. */
const caution = {
  readOnlyHint: [true, false],
  destructiveHint: [false, true],
  openWorldHint: [false, true],
} as const;

function brokenTool(from: JsonObject, to: JsonObject): string | undefined {
  const input = schemaNarrowing(from.inputSchema ?? {}, to.inputSchema ?? {}, "input");
  if (input !== undefined) return input;
  const output =
    from.outputSchema === undefined
      ? undefined
      : to.outputSchema === undefined
        ? "its outputSchema was removed"
        : schemaNarrowing(from.outputSchema, to.outputSchema, "output");
  if (output !== undefined) return output;
  const hint = (tool: JsonObject, name: keyof typeof caution) => {
    const value = isJsonObject(tool.annotations) ? tool.annotations[name] : undefined;
    return typeof value === "boolean" ? value : caution[name][1];
  };
  const lost = (Object.keys(caution) as (keyof typeof caution)[]).find((name) => {
    const [safe] = caution[name];
    return hint(from, name) === safe && hint(to, name) !== safe;
  });
  return lost === undefined ? undefined : `its ${lost} is no longer ${caution[lost][0]}`;
}

function brokenPrompt(from: JsonObject, to: JsonObject): string | undefined {
  const [former, latter] = [byKey(from.arguments, "name"), byKey(to.arguments, "name")];
  for (const name of former.keys()) if (!latter.has(name)) return `${name} was removed`;
  for (const [name, { required }] of latter) {
    if (required === true && former.get(name)?.required !== true) return `it now requires ${name}`;
  }
  return undefined;
}
