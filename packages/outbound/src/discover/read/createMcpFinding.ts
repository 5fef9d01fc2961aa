import { endpointName, Interfaces } from "@app-registry/sdk";
import { printable } from "../../fetch/guardedFetchError.ts";
import type { McpImport } from "../../import/importMcp.ts";
import { asString } from "../../import/json.ts";
import { mcpLists } from "../../import/mcpClient.ts";
import { pickFirstValid, sanitizeMetadata } from "../../import/sanitizeMetadata.ts";
import { type Finding, formatCount, formatFirst } from "../finding.ts";
import { normalizeVersion } from "./documentTexts.ts";

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
  const offers = mcpLists.flatMap(({ list, kind }) =>
    imported[list].length > 0 ? [formatCount(imported[list], kind)] : [],
  );
  const notes = [
    ...mcpLists.flatMap((one) => describeLeftOut(imported.leftOut, one)),
    ...describeNames(tools.map(({ name }) => name).filter((name) => !/^[\w.-]{1,128}$/.test(name))),
  ];
  return {
    kind: "mcp",
    url,
    interfaces: Interfaces.Api,
    ...(version !== undefined && { version }),
    offers,
    ...(notes.length > 0 && { notes }),
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

/** Names the tools whose names MCP doesn't allow. Clients refuse a whole list for one of them. */
function describeNames(names: string[]): string[] {
  if (names.length === 0) return [];
  const list = formatFirst(
    names.map((name) => `"${printable(name, 60)}"`),
    5,
  );
  return [`${ALLOWED_NAMES} Clients may refuse all tools because of ${list}. Rename them on the server.`];
}

const ALLOWED_NAMES = 'MCP allows only 1 to 128 letters, digits, "_", "." and "-" in the name of a tool.';

/** Describes the elements of a list that were left out, for the publisher. Names the first five. */
function describeLeftOut(
  all: McpImport["leftOut"],
  { list, kind, key }: (typeof mcpLists)[number],
): string[] {
  const leftOut = all.filter((one) => one.list === list);
  const named = leftOut.map(({ element, reason }) => {
    return `"${printable(asString(element[key]) ?? "", 60)}" (${printable(reason, 200)})`;
  });
  const advice =
    "Fix this on the server, then read the address again. Until then, live checks report a difference.";
  return named.length > 0
    ? [`Left out ${formatCount(leftOut, kind)}: ${formatFirst(named, 5)}. ${advice}`]
    : [];
}

/** Returns the transport field of an endpoint entry. */
export const mcpTransport = (transport: McpImport["transport"], url: string) =>
  transport === "sse" ? { sse: { url } } : { http: { url, method: "POST" } };
