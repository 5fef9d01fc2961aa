import { endpointName, Interfaces } from "@app-registry/sdk";
import type { McpImport } from "../../import/importMcp.ts";
import type { Finding } from "../finding.ts";
import { formatCount } from "../labels.ts";
import { normalizeVersion } from "../normalizeVersion.ts";
import { pickFirstValid, sanitizeMetadata } from "../sanitizeMetadata.ts";

const trait = "api:mcp";

/** Creates the finding of an MCP server from its own description and its lists. */
export function createMcpFinding(imported: McpImport): Finding {
  const { url, transport, server, tools, resources, resourceTemplates, prompts } = imported;
  const entry = {
    name: endpointName(trait),
    endpoint: url,
    transport: mcpTransport(transport, url),
    ...(server.instructions && { instructions: server.instructions }),
    tools,
    resources,
    ...(resourceTemplates.length > 0 && { resourceTemplates }),
    prompts,
  };
  const version = normalizeVersion(server.version);
  const listed: [readonly unknown[], string][] = [
    [tools, "tool"],
    [resources, "resource"],
    [resourceTemplates, "resource template"],
    [prompts, "prompt"],
  ];
  return {
    kind: "mcp",
    url,
    interfaces: Interfaces.Api,
    ...(version !== undefined && { version }),
    offers: listed.filter(([list]) => list.length > 0).map(([list, one]) => formatCount(list, one)),
    metadata: sanitizeMetadata({
      name: pickFirstValid("name", [server.title, server.name]),
      description: server.description,
      external_url: server.websiteUrl,
      image: pickFirstValid("image", server.icons?.map(({ src }) => src) ?? []),
      traits: [trait],
      endpoints: [entry],
    }),
  };
}

/** Returns the transport field of an endpoint entry. */
export const mcpTransport = (transport: McpImport["transport"], url: string) =>
  transport === "sse" ? { sse: { url } } : { http: { url, method: "POST" } };
