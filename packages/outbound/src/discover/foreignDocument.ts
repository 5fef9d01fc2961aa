import { isJsonObject } from "@app-registry/sdk";
import { parseJson } from "./read/json.ts";

/** Name of a kind, keys that it has, keys of which it has one, and a pattern of its text. */
type ForeignKind = [is: string, has: string[], hasOne?: string[] | undefined, text?: RegExp];

const sdl = /^(?:extend )?(?:schema|type \w+)(?:(?: implements| *@)[^{}=\n]*| *)\{/m;
const packageKeys = ["scripts", "dependencies", "devDependencies", "main", "module", "exports", "bin"];

/** Known documents that don't describe a service. The first match wins. */
const foreignKinds: ForeignKind[] = [
  ["an OpenAPI document", [], ["openapi", "swagger"]],
  ["an AsyncAPI document", ["asyncapi"]],
  ["an OpenRPC document", ["openrpc"]],
  ["a list of x402 payment terms", ["x402Version"], ["accepts", "resources", "items"]],
  ["a GraphQL schema", [], undefined, sdl],
  ["a GraphQL schema", [], ["__schema", "data"], /^\s*\{\s*(?:"data"\s*:\s*\{\s*)?"__schema"/],
  ["a Postman collection", ["info", "item"]],
  ["a package's manifest", ["name", "version"], packageKeys],
  ["an MCP client's configuration", [], ["mcpServers"]],
  ["an MCP client's configuration", ["servers"], undefined, /"command"\s*:\s*"/],
  ["an agent skill", ["name", "description"], undefined, /^---\s[\s\S]*\n---\s/],
  ["a list of links (llms.txt)", [], undefined, /^\s*# [\s\S]*\n[-*] \[[^\]\n]+\]\(/],
];

/** Fields of this registry's metadata JSON that the known documents don't have. */
const ownFields = ["publisher", "endpoints", "traits", "platforms"];

/** Names the kind of a document in a sentence. Returns `undefined` for unknown kinds and for metadata JSON. */
export function describeForeignDocument(text: string): string | undefined {
  const json = parseJson(text.replace(/^\uFEFF/, ""));
  const keys = isJsonObject(json) ? new Set(Object.keys(json)) : listLineKeys(text);
  const hasKey = (key: string) => keys.has(key);
  if (ownFields.some(hasKey)) return undefined;
  const [is] =
    foreignKinds.find(
      ([, has, hasOne, pattern]) =>
        has.every(hasKey) && (hasOne?.some(hasKey) ?? true) && (pattern?.test(text) ?? true),
    ) ?? [];
  return is && `This is ${is}.`;
}

/** Lists the keys at the start of lines, as in YAML. Keeps each once, because a text may repeat one a million times. */
function listLineKeys(text: string): Set<string> {
  const keys = new Set<string>();
  for (const [, key = ""] of text.matchAll(/^["']?([\w-]+)["']?[ \t]*:/gm)) keys.add(key);
  return keys;
}
