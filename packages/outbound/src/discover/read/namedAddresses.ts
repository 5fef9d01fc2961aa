import { isJsonObject, type JsonObject, type JsonValue } from "@app-registry/sdk";
import { printable } from "../../fetch/printable.ts";
import { formatFirst } from "../labels.ts";
import { asString } from "./json.ts";

/**
 * Lists the URLs of MCP servers, agents and APIs that the fields of a document name, such as `endpoints.mcp`, each with
 * its field. Omits the used URLs.
 */
export function formatNamedAddresses(document: JsonObject, used: readonly unknown[] = []): string {
  const fields = Object.entries(document).flatMap(([key, value]): [string, JsonValue][] =>
    isJsonObject(value)
      ? Object.entries(value).map(([inner, one]) => [`${key}.${inner}`, one])
      : [[key, value]],
  );
  const named = fields.flatMap(([field, value]) => {
    const url = /(?:^|\.)(?:mcp|a2a|open-?api|swagger)[^.]*$/i.test(field) ? asString(value) : undefined;
    if (url === undefined || !/^https?:\/\/\S+$/.test(url) || used.includes(url)) return [];
    return `${printable(url)} (${printable(field, 60)})`;
  });
  return formatFirst(named);
}

/** Notes that a document names further services that are not read. */
export function noteNamedAddresses(document: JsonObject, used: readonly unknown[]): string[] {
  const named = formatNamedAddresses(document, used);
  return named === "" ? [] : [`Also named, but not read: ${named}. If it's yours, enter that address.`];
}
