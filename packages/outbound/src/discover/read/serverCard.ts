import { endpointName, Interfaces, type JsonObject } from "@app-registry/sdk";
import type { Finding } from "../finding.ts";
import { normalizeVersion } from "../normalizeVersion.ts";
import { pickFirstValid, sanitizeMetadata } from "../sanitizeMetadata.ts";
import { mcpTransport } from "./createMcpFinding.ts";
import { asObject, asObjectArray, asString, compact } from "./json.ts";

/** MCP server listed in a server card. */
export type Remote = { url: string; transport: "streamable-http" | "sse" };

/**
 * Lists the servers of an MCP server card: its `remotes` (SEP-2127, as in the MCP registry's server.json), or the
 * `transport` of an earlier draft (SEP-1649). Returns `undefined` if the document is not a card.
 */
export function listRemotes(card: JsonObject, cardUrl: string): Remote[] | undefined {
  const isCard =
    Array.isArray(card.remotes) || (card.serverInfo !== undefined && card.transport !== undefined);
  if (!isCard) return undefined;
  const { transport } = card;
  const { type, endpoint, url } = asObject(transport);
  const written = [
    ...asObjectArray(card.remotes),
    { type: type ?? transport ?? "", url: endpoint ?? url ?? "" },
  ];
  return written.flatMap(({ type: kind, url: address }) => {
    const text = asString(address);
    if (text === undefined || !URL.canParse(text, cardUrl)) return [];
    return [
      { url: new URL(text, cardUrl).href, transport: kind === "sse" ? "sse" : "streamable-http" } as const,
    ];
  });
}

/** Creates the finding of an MCP server from its card, for a server whose own lists can't be read. */
export function serverCardFinding(card: JsonObject, remote: Remote): Finding {
  const info = { ...asObject(card.serverInfo), ...card };
  const version = normalizeVersion(info.version);
  const { tools, resources, prompts } = card;
  return {
    kind: "mcp",
    url: remote.url,
    interfaces: Interfaces.Api,
    ...(version !== undefined && { version }),
    offers: [],
    metadata: sanitizeMetadata({
      name: pickFirstValid("name", [info.title, info.name]),
      description: asString(info.description),
      external_url: pickFirstValid("external_url", [info.websiteUrl, card.documentationUrl]),
      image: pickFirstValid("image", [...asObjectArray(info.icons).map(({ src }) => src), card.iconUrl]),
      traits: ["api:mcp"],
      endpoints: [
        {
          name: endpointName("api:mcp"),
          endpoint: remote.url,
          transport: mcpTransport(remote.transport, remote.url),
          ...Object.fromEntries(
            compact(
              Object.entries({ tools, resources, prompts }).map((list) =>
                Array.isArray(list[1]) ? list : undefined,
              ),
            ),
          ),
        },
      ],
    }),
  };
}
