import { printable } from "../../fetch/printable.ts";
import type { UrlVariable } from "../finding.ts";
import { isSameSite } from "../isSameSite.ts";

/** Values of URL variables, by name. */
export type VariableValues = Readonly<Record<string, string>>;

const placeholder = /\{([\w.-]{1,64})\}/g;

/** Text in place of a value or an address that its author has not filled in: `YOUR_API_ID`, `<host>`, `example`. */
const unfilled =
  /[<>]|YOUR_|^(?:https?:\/\/)?(?:(?:[\w-]+\.)*your[-_]|[A-Z\d]+(?:_[A-Z\d]+)+(?:[/:]|$))|^(?:example|change-?me|todo)$/;

export const isUnfilled = (text: string): boolean => unfilled.test(text);

/** Returns the names of the variables in a URL, without repetitions. */
export const listPlaceholders = (template: string): string[] => [
  ...new Set(Array.from(template.matchAll(placeholder), ([, name = ""]) => name)),
];

/** Returns a URL with a letter in place of each variable, or `undefined` if a variable is the start of the URL. */
export function sampleUrl(template: string): URL | undefined {
  const sample = template.replace(placeholder, "x");
  return URL.canParse(sample) ? new URL(sample) : undefined;
}

/** Allowed values of a variable by its place, with the rule for a person. */
const allowedValues: Record<"start" | "host" | "path", [pattern: RegExp, rule: string]> = {
  start: [/^https?:\/\/[\w.-]+(?::\d+)?(?:\/[\w~+=,-][\w.~+=,-]*)*$/i, "Use a https:// URL."],
  host: [/^[a-z\d.-]+(?::\d+)?$/i, "Use a host name or a part of one."],
  path: [
    /^(?!\.{1,2}(?:\/|$))[\w.~+=,-]+(?:\/(?!\.{1,2}(?:\/|$))[\w.~+=,-]+)*$/,
    "Use letters, digits and . _ ~ + = , - only.",
  ],
};

/**
 * Fills variables into a URL, with the given values or those of the variables. Only a variable in the host can change
 * the host. The URL must then be on the site of `site`, if that is given.
 *
 * @returns The variables with their values, and the URL or the reasons why it has none.
 */
export function fillVariables(
  template: string,
  variables: readonly UrlVariable[],
  given: VariableValues,
  site?: URL,
): { url: URL | undefined; variables: UrlVariable[]; reasons: string[] } {
  const [host = ""] = /^[^/?#]*(?:\/\/[^/?#]*)?/.exec(template) ?? [];
  const reasons: string[] = [];
  const filled = variables.map(({ value: initial, ...variable }): UrlVariable => {
    const { name, choices } = variable;
    const value = Object.hasOwn(given, name) ? given[name] : initial;
    if (value === undefined) return variable;
    const place = template.startsWith(`{${name}}`) ? "start" : host.includes(`{${name}}`) ? "host" : "path";
    const [, rule] = choices ? [undefined, `Choose one of: ${choices.join(", ")}.`] : allowedValues[place];
    if (allowedValues[place][0].test(value) && (choices?.includes(value) ?? true))
      return { ...variable, value };
    reasons.push(`The value "${printable(value)}" can't be used for ${name}. ${rule}`);
    return variable;
  });
  const values = new Map(filled.map(({ name, value }) => [name, value]));
  const text = template.replace(placeholder, (_, name: string) => values.get(name) ?? "{");
  const url = URL.canParse(text) && !text.includes("{") ? new URL(text) : undefined;
  if (!url || !site || isSameSite(url, site)) return { url, variables: filled, reasons };
  reasons.push(`The address ${printable(text)} is not on the site of ${site.host}.`);
  return { url: undefined, variables: filled, reasons };
}
