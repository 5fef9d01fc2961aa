import type { JsonObject } from "@app-registry/sdk";
import { printable } from "../../fetch/printable.ts";
import type { UrlVariable } from "../finding.ts";
import { asObject, asString, asStringArray } from "./json.ts";

/** Values of URL variables, by name. */
export type VariableValues = Readonly<Record<string, string>>;

const placeholder = /\{([\w.-]{1,64})\}/g;

/** Maximum number of variables of one address. */
const MAX_VARIABLES = 20;

/** Resolves a URL with variables, as in `https://{tenant}.example.com`. Returns `undefined` if it isn't a web address. */
export function toTemplate(url: string, documentUrl: string): string | undefined {
  if (/^(?:https?:\/\/[^/\s{]*)?\{\S+$/i.test(url)) return url;
  const resolved = /^\S+$/.test(url) && URL.canParse(url, documentUrl) ? new URL(url, documentUrl).href : "";
  return /^https?:/.test(resolved) ? resolved.replace(/%7B([\w.-]+)%7D/gi, "{$1}") : undefined;
}

/** Returns a template with a letter for each variable, to check the rest of the address. */
export const toSample = (template: string): string => template.replace(placeholder, "x");

/** Lists the variables of a URL, with what the document says about each: description, default and allowed values. */
export function listVariables(template: string, inputs: JsonObject): UrlVariable[] {
  const names = new Set(Array.from(template.matchAll(placeholder), ([, name = ""]) => name));
  return [...names].slice(0, MAX_VARIABLES).map((name) => {
    const input = asObject(Object.hasOwn(inputs, name) ? inputs[name] : undefined);
    const choices = asStringArray(input.enum ?? input.choices);
    const allowed = choices.length > 0 && `One of: ${choices.slice(0, 20).join(", ")}.`;
    const description = [asString(input.description), allowed].filter(Boolean).join(" ");
    const value = String(input.value ?? input.default ?? "").slice(0, 500);
    return {
      name,
      ...(description !== "" && { description: printable(description, 300) }),
      // Leave out a text that asks for a value.
      ...(value !== "" && !/[<>{}]|YOUR_/.test(value) && { value }),
    };
  });
}

/** Values in the host of a URL, of a variable that starts a URL, and anywhere else. */
const host = /^[\w.-]+(?::\d+)?$/;
const start = /^https?:\/\/[\w.-]+(?::\d+)?(?:\/[\w~+=,-][\w.~+=,-]*)*$/i;
const path = /^(?!(?:.*\/)?\.{1,2}(?:\/|$))[\w.~+=,/-]+$/;

/**
 * Fills variables into a URL, with the given values or those of the variables. Only a variable in the host can change
 * the host. Returns no URL if one has no value or one that can't be a part of a URL, and leaves out such values.
 */
export function fillVariables(
  template: string,
  variables: readonly UrlVariable[],
  given: VariableValues,
): { url: URL | undefined; variables: UrlVariable[] } {
  const [origin = ""] = /^[^/?#]*(?:\/\/[^/?#]*)?/.exec(template) ?? [];
  const values = new Map<string, string>();
  const filled = variables.map(({ value, ...variable }) => {
    const { name } = variable;
    const used = Object.hasOwn(given, name) ? given[name] : value;
    const isStart = template.startsWith(`{${name}}`);
    const allowed = isStart ? start : origin.includes(`{${name}}`) ? host : path;
    if (used === undefined || !allowed.test(used)) return variable;
    values.set(name, used);
    return { ...variable, value: used };
  });
  const text = template.replace(placeholder, (_, name: string) => values.get(name) ?? "{");
  const isWhole = values.size === variables.length && !origin.includes("@") && URL.canParse(text);
  return { url: isWhole ? new URL(text) : undefined, variables: filled };
}
