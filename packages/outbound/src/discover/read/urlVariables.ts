import type { JsonObject } from "@app-registry/sdk";
import { printable } from "../../fetch/printable.ts";
import type { UrlVariable } from "../finding.ts";
import { asArray, asObject, asString } from "./json.ts";

/** Values of URL variables, by name. */
export type VariableValues = Readonly<Record<string, string>>;

const placeholder = /\{([\w.-]{1,64})\}/g;

/** Text in place of a value that its author has not filled in. */
const unfilled = /[<>{}]|YOUR_|^(?:example|change-?me|todo)$/;

/** Maximum number of variables of one address. */
const MAX_VARIABLES = 20;

/** Resolves a URL with variables, as in `https://{tenant}.example.com`. Returns `undefined` if it isn't a web address. */
export function toTemplate(url: string, documentUrl: string): string | undefined {
  if (/^(?:https?:\/\/[^/\s{]*)?\{\S+$/i.test(url)) return url;
  const resolved = /^\S+$/.test(url) && URL.canParse(url, documentUrl) ? new URL(url, documentUrl).href : "";
  return /^https?:/.test(resolved) ? resolved.replace(/%7B([\w.-]+)%7D/gi, "{$1}") : undefined;
}

/** Lists the variables of a URL, with what the document says about each: description, default and allowed values. */
export function listVariables(template: string, inputs: JsonObject): UrlVariable[] {
  const names = new Set(Array.from(template.matchAll(placeholder), ([, name = ""]) => name));
  return [...names].slice(0, MAX_VARIABLES).map((name) => {
    const input = asObject(Object.hasOwn(inputs, name) ? inputs[name] : undefined);
    const choices = asArray(input.enum ?? input.choices).filter((choice) => typeof choice === "string");
    const allowed = choices.length > 0 && `One of: ${choices.slice(0, 20).join(", ")}.`;
    const description = [asString(input.description), allowed].filter(Boolean).join(" ");
    const value = String(input.value ?? input.default ?? "").slice(0, 500);
    const isKnown = value !== "" && (!unfilled.test(value) || choices.includes(value));
    return {
      name,
      ...(description !== "" && { description: printable(description, 300) }),
      ...(isKnown && { value }),
    };
  });
}

/** Allowed values of a variable by its place, with the rule for a person. */
const allowedValues: Record<"start" | "host" | "path", [pattern: RegExp, rule: string]> = {
  start: [/^https?(?::\/\/[\w.-]+(?::\d+)?(?:\/[\w~+=,-][\w.~+=,-]*)*)?$/i, "Use a https:// URL."],
  host: [/^[a-z\d.-]+(?::\d+)?$/i, "Use a host name or a part of one."],
  path: [
    /^(?!\.{1,2}(?:\/|$))[\w.~+=,-]+(?:\/(?!\.{1,2}(?:\/|$))[\w.~+=,-]+)*$/,
    "Use letters, digits and . _ ~ + = , - only.",
  ],
};

/**
 * Fills variables into a URL, with the given values or those of the variables. Only a variable in the host can change
 * the host.
 *
 * @returns The variables with their values, and the URL or the reasons why it has none.
 */
export function fillVariables(
  template: string,
  variables: readonly UrlVariable[],
  given: VariableValues,
): { url: URL | undefined; variables: UrlVariable[]; reasons: string[] } {
  const [host = ""] = /^[^/?#]*(?:\/\/[^/?#]*)?/.exec(template) ?? [];
  const reasons: string[] = [];
  const filled = variables.map(({ value: initial, ...variable }): UrlVariable => {
    const { name } = variable;
    const value = Object.hasOwn(given, name) ? given[name] : initial;
    if (value === undefined) return variable;
    const place = template.startsWith(`{${name}}`) ? "start" : host.includes(`{${name}}`) ? "host" : "path";
    const [pattern, rule] = allowedValues[place];
    if (pattern.test(value)) return { ...variable, value };
    reasons.push(`The value "${printable(value)}" can't be used for ${name}. ${rule}`);
    return variable;
  });
  const values = new Map(filled.map(({ name, value }) => [name, value]));
  const text = template.replace(placeholder, (_, name: string) => values.get(name) ?? "{");
  const url = URL.canParse(text) && !text.includes("{") ? new URL(text) : undefined;
  return { url, variables: filled, reasons };
}
