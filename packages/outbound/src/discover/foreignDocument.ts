import { isJsonObject, type JsonObject } from "@app-registry/sdk";
import { printable } from "../fetch/printable.ts";
import { asObjectArray, asString, parseJson } from "./read/json.ts";
import { formatNamedAddresses } from "./read/namedAddresses.ts";
import { AGENT_CARD_PATH, REGISTRATION_PATH } from "./wellKnownLocations.ts";

const write =
  "Write the metadata yourself, with the API's address as the endpoint and this document's as its schema URL.";
const enter = "Enter the URL of the MCP server or the API that it uses.";
const clientUrl =
  "Enter the URL of one of its servers. A server that a command starts has none and can't be registered.";

/** Name of a kind, what to do instead, all keys that it has, keys of which it has one, and a pattern of its text. */
type ForeignKind = [is: string, instead: string, has: string[], hasOne?: string[] | undefined, text?: RegExp];

const sdl = /^(?:extend )?(?:schema|type \w+)(?:(?: implements| *@)[^{}=\n]*| *)\{/m;
const packageKeys = [
  "scripts",
  "dependencies",
  "devDependencies",
  "main",
  "module",
  "exports",
  "bin",
  "files",
];
const x402Keys = ["accepts", "resources", "items"];
const pluginKeys = ["mcpServers", "contextFileName", "author", "commands", "hooks", "lspServers"];

/** Known documents that don't describe a service. The first match wins. */
const foreignKinds: ForeignKind[] = [
  ["an OpenAPI document", "Create the metadata from its address.", [], ["openapi", "swagger"]],
  ["an AsyncAPI document", write, ["asyncapi"]],
  ["an OpenRPC document", write, ["openrpc"]],
  ["a list of x402 payment terms", "Enter the address of the paid request.", ["x402Version"], x402Keys],
  ["a GraphQL schema", write, [], undefined, sdl],
  ["a GraphQL schema", write, [], ["__schema", "data"], /^\s*\{\s*(?:"data"\s*:\s*\{\s*)?"__schema"/],
  ["a Postman collection", "Export it as OpenAPI and enter the address of that document.", ["info", "item"]],
  [
    "an MCP bundle's manifest",
    "Enter the URL of a remote MCP server.",
    ["server"],
    ["manifest_version", "dxt_version"],
  ],
  ["a marketplace of plugins", "Enter the URL of a plugin's MCP server.", ["plugins", "owner"]],
  ["a package's manifest", "Enter the address at which the service runs.", ["name", "version"], packageKeys],
  ["the manifest of an AI client's plugin or extension", enter, ["name"], pluginKeys],
  ["an MCP client's configuration", clientUrl, ["mcpServers"]],
  ["an MCP client's configuration", clientUrl, ["servers"], undefined, /"(?:command|type|url)"\s*:\s*"/],
  ["an agent skill", enter, ["name", "description"], undefined, /^---\s[\s\S]*\n---\s/],
  [
    "a list of links (llms.txt)",
    "Enter the address of an API, MCP server or agent in it.",
    [],
    undefined,
    /^\s*# [\s\S]*\n[-*] \[[^\]\n]+\]\(/,
  ],
];

/** Documents by their conventional path, with the fields that they need. */
const conventions: [path: RegExp, is: string, needs: string][] = [
  [AGENT_CARD_PATH, "an A2A agent card", "name, url or supportedInterfaces, and skills"],
  [REGISTRATION_PATH, "an ERC-8004 registration file", "type, name and services"],
  [/mcp[^/]*\.json$|\/server-card/, "an MCP server card", "name and remotes with the server's URL"],
  [/\/server\.json$/, "the server.json of an MCP server with a URL", "name and remotes"],
  [/\/(?:api-catalog|ai-catalog\.json|ard\.json)$/, "a catalog", "linkset, or specVersion and entries"],
];

/** Fields of this registry's metadata JSON that the known documents don't have. */
const ownFields = ["publisher", "endpoints", "traits", "platforms"];

/**
 * Returns sentences that tell which kind of document this is, and what to use instead. Returns `undefined` for
 * documents of unknown kinds and for metadata JSON.
 */
export function describeForeignDocument(text: string, url = "https://localhost"): string | undefined {
  const json = parseJson(text.replace(/^\uFEFF/, ""));
  const keys = isJsonObject(json) ? new Set(Object.keys(json)) : listLineKeys(text);
  const hasKey = (key: string) => keys.has(key);
  const isOwn = ownFields.some(hasKey);
  const [is, instead] =
    foreignKinds.find(
      ([, , has, hasOne, pattern]) =>
        !isOwn && has.every(hasKey) && (hasOne?.some(hasKey) ?? true) && (pattern?.test(text) ?? true),
    ) ?? [];
  if (is !== undefined) return `This is ${is}. ${instead}`;
  if (!isJsonObject(json)) return undefined;
  const [, expected, needs] = conventions.find(([path]) => path.test(new URL(url).pathname)) ?? [];
  const named = formatNamedAddresses(json as JsonObject);
  const address =
    named === "" ? "enter the service's own address" : `enter the address that it names: ${named}`;
  return (
    (isOwn ? undefined : describeDomainProof(json as JsonObject)) ??
    (expected && `This isn't ${expected}, which needs ${needs}. Complete it, or ${address}.`)
  );
}

/** Lists the keys at the start of lines, as in YAML. Keeps each once, because a text may repeat one a million times. */
function listLineKeys(text: string): Set<string> {
  const keys = new Set<string>();
  for (const [, key = ""] of text.matchAll(/^["']?([\w-]+)["']?[ \t]*:/gm)) keys.add(key);
  return keys;
}

/** Describes the file at a well-known path by which ERC-8004 proves that an agent has a domain. */
function describeDomainProof({
  registrations,
  agent,
  agentCard = agent ?? null,
  ...file
}: JsonObject): string | undefined {
  const { agentId, agentRegistry } = asObjectArray(registrations)[0] ?? file;
  if (agentId === undefined || agentRegistry === undefined) return undefined;
  const place = asString(agentCard);
  const wanted = place === undefined ? "the address of its registration file" : printable(place);
  return `This only proves the domain of agent ${printable(JSON.stringify(agentId), 80)}. Enter ${wanted}.`;
}
