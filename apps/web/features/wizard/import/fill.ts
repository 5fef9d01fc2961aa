import type { Draft } from "../draft/draft.ts";
import { apiEndpoints, endpointName } from "../draft/endpoints.ts";
import { getAt, type JsonObject, type JsonValue, pointerOf, setAt } from "../draft/pointer.ts";

/** What an MCP server says of itself (`POST /api/import/mcp`). */
export interface McpImport {
  url: string;
  transport: "streamable-http" | "sse";
  server: { name: string; title?: string; description?: string };
  tools: JsonObject[];
  resources: JsonObject[];
  prompts: JsonObject[];
}

/** An A2A agent card and where it is (`POST /api/import/agent-card`). */
export interface AgentCardImport {
  url: string;
  card: {
    name: string;
    description?: string;
    documentationUrl?: string;
    iconUrl?: string;
    protocolVersion?: string;
    provider?: { organization?: string; url?: string };
  };
}

/** A draft that an import filled, and what it filled, in words. */
export interface Filled {
  metadata: JsonObject;
  filled: string[];
}

/** Sets a text that the person has not written yet. */
function fillText(result: Filled, pointer: string, label: string, text: string | undefined): Filled {
  if (text === undefined || text === "" || getAt(result.metadata, pointer) !== undefined) return result;
  return { metadata: setAt(result.metadata, pointer, text), filled: [...result.filled, label] };
}

/** The place of the endpoint that an import fills: the one of this name, else an unused one, else a new one. */
function endpointIndex(metadata: JsonObject, name: string): number {
  const rows = apiEndpoints(metadata);
  const named = rows.find(({ entry }) => entry.name === name);
  const unused = rows.find(({ entry }) => entry.endpoint === undefined);
  const list = metadata.endpoints;
  return (named ?? unused)?.index ?? (Array.isArray(list) ? list.length : 0);
}

function setEndpoint(
  metadata: JsonObject,
  name: string,
  fields: Record<string, JsonValue | undefined>,
): JsonObject {
  const at = pointerOf("endpoints", endpointIndex(metadata, name));
  return Object.entries({ name, ...fields }).reduce(
    (result, [key, value]) => (value === undefined ? result : setAt(result, at + pointerOf(key), value)),
    metadata,
  );
}

const count = (list: JsonObject[], one: string): string =>
  `${list.length} ${one}${list.length === 1 ? "" : "s"}`;

/** Fills a draft from an MCP server: what it offers replaces what stood there, texts are filled only where empty. */
export function fillFromMcp(draft: Draft, imported: McpImport): Filled {
  const { url, transport, server, tools, resources, prompts } = imported;
  const name = endpointName("api:mcp");
  const metadata = setEndpoint(draft.metadata, name, {
    endpoint: url,
    tools,
    resources,
    prompts,
    transport: transport === "sse" ? { sse: { url } } : { http: { url, method: "POST" } },
  });
  const filled = [
    "the endpoint",
    count(tools, "tool"),
    count(resources, "resource"),
    count(prompts, "prompt"),
  ];
  const named = fillText({ metadata, filled }, "/name", "the name", server.title ?? server.name);
  return fillText(named, "/description", "the description", server.description);
}

/** Fills a draft from an agent card; texts are filled only where empty. */
export function fillFromAgentCard(draft: Draft, { url, card }: AgentCardImport): Filled {
  const metadata = setEndpoint(draft.metadata, endpointName("api:a2a"), {
    endpoint: url,
    interfaceVersions: card.protocolVersion === undefined ? undefined : [card.protocolVersion],
  });
  const texts: [string, string, string | undefined][] = [
    ["/name", "the name", card.name],
    ["/description", "the description", card.description],
    ["/publisher", "the publisher", card.provider?.organization],
    ["/external_url", "the external URL", card.documentationUrl ?? card.provider?.url],
    ["/image", "the icon", card.iconUrl],
  ];
  return texts.reduce((result, [pointer, label, text]) => fillText(result, pointer, label, text), {
    metadata,
    filled: ["the endpoint"],
  });
}
