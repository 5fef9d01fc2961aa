import type { JsonValue } from "@app-registry/sdk";
import { CONTRACT_ENDPOINT_NAME, endpointName, isJsonObject, metadataSchema } from "@app-registry/sdk";
import type { AgentCardImport } from "./import/importAgentCard.ts";
import type { McpImport } from "./import/importMcp.ts";
import type { OpenApiImport } from "./import/importOpenApi.ts";

export { type FilledMetadata, fillMetadata } from "./discover/fillMetadata.ts";
export type { Discovery, Finding, FindingKind } from "./discover/finding.ts";
export { type Proposal, proposalOf } from "./discover/proposalOf.ts";

type JsonObject = { [key: string]: JsonValue };

/** A metadata JSON that an import filled in, and the names of what it filled in. */
export interface Filled {
  metadata: JsonObject;
  filled: string[];
}

type TextField = "name" | "description" | "publisher" | "external_url" | "supportUrl" | "image";

const labels: Record<TextField, string> = {
  name: "the name",
  description: "the description",
  publisher: "the publisher",
  external_url: "the external URL",
  supportUrl: "the support URL",
  image: "the icon",
};

/** Sets texts that are still empty, if the metadata schema accepts them. */
function fillTexts(start: Filled, texts: { [field in TextField]?: string | undefined }): Filled {
  let { metadata, filled } = start;
  for (const [field, text] of Object.entries(texts) as [TextField, string | undefined][]) {
    const accepted = metadataSchema.shape[field].safeParse(text).success;
    if (text === undefined || text === "" || !accepted || metadata[field] !== undefined) continue;
    metadata = { ...metadata, [field]: text };
    filled = [...filled, labels[field]];
  }
  return { metadata, filled };
}

/** Fills in the endpoint with a name, else an unused one of the API interface, else a new one. */
function setEndpoint(metadata: JsonObject, name: string, fields: Record<string, unknown>): JsonObject {
  const entries: JsonValue[] = Array.isArray(metadata.endpoints) ? [...metadata.endpoints] : [];
  const find = (matches: (entry: JsonObject) => boolean) =>
    entries.findIndex(
      (entry) => isJsonObject(entry) && entry.name !== CONTRACT_ENDPOINT_NAME && matches(entry),
    );
  const places = [find((entry) => entry.name === name), find((entry) => entry.endpoint === undefined)];
  const index = places.find((place) => place >= 0) ?? entries.length;
  const present = entries[index];
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  entries[index] = {
    ...(isJsonObject(present) ? present : {}),
    name,
    ...Object.fromEntries(given),
  } as JsonObject;
  return { ...metadata, endpoints: entries };
}

const count = (list: readonly unknown[], one: string): string =>
  `${list.length} ${one}${list.length === 1 ? "" : "s"}`;

/**
 * Fills in a metadata JSON from an MCP server. What the server offers replaces the current lists; texts are filled in only
 * if they are empty.
 *
 * @example
 * const imported = await importMcp(mcpUrl, { guardedFetch });
 * const { metadata, filled } = fillFromMcp({ name: "Everything" }, imported);
 * metadata.name; // "Everything"
 */
export function fillFromMcp(metadata: JsonObject, imported: McpImport): Filled {
  const { url, transport, server, tools, resources, prompts } = imported;
  const endpoint = setEndpoint(metadata, endpointName("api:mcp"), {
    endpoint: url,
    tools,
    resources,
    prompts,
    transport: transport === "sse" ? { sse: { url } } : { http: { url, method: "POST" } },
  });
  const lists = [count(tools, "tool"), count(resources, "resource"), count(prompts, "prompt")];
  return fillTexts(
    { metadata: endpoint, filled: ["the endpoint", ...lists] },
    {
      name: server.title ?? server.name,
      description: server.description,
      external_url: server.websiteUrl,
      image: server.icons?.[0]?.src,
    },
  );
}

/**
 * Fills in a metadata JSON from an agent card; texts are filled in only if they are empty.
 *
 * @example
 * const imported = await importAgentCard(agentCardUrl, { guardedFetch });
 * const { metadata, filled } = fillFromAgentCard({}, imported);
 * metadata.name; // "Weather agent"
 */
export function fillFromAgentCard(metadata: JsonObject, { url, card }: AgentCardImport): Filled {
  const endpoint = setEndpoint(metadata, endpointName("api:a2a"), {
    endpoint: url,
    interfaceVersions: card.protocolVersion === undefined ? undefined : [card.protocolVersion],
  });
  return fillTexts(
    { metadata: endpoint, filled: ["the endpoint"] },
    {
      name: card.name,
      description: card.description,
      publisher: card.provider?.organization,
      external_url: card.documentationUrl ?? card.provider?.url,
      image: card.iconUrl,
    },
  );
}

/**
 * Fills in a metadata JSON from an OpenAPI document; texts are filled in only if they are empty.
 *
 * @example
 * const imported = await importOpenApi(openApiUrl, { guardedFetch });
 * const { metadata, filled } = fillFromOpenApi({}, imported);
 * metadata.name; // "Weather API"
 */
export function fillFromOpenApi(metadata: JsonObject, imported: OpenApiImport): Filled {
  const { url, endpoint, document } = imported;
  const { info, externalDocs } = document;
  const { name, url: contactUrl, email } = info.contact ?? {};
  return fillTexts(
    {
      metadata: setEndpoint(metadata, endpointName("api:rest"), {
        endpoint,
        schemaUrl: url,
        interfaceVersions: [info.version],
      }),
      filled: ["the endpoint", "the schema URL"],
    },
    {
      name: info.title,
      description: info.description ?? info.summary,
      publisher: name,
      external_url: externalDocs?.url,
      supportUrl: contactUrl ?? (email && `mailto:${email}`),
    },
  );
}
