import { didOfServerName } from "@app-registry/sdk";
import { ApiProblem } from "../problem.ts";
import { rawPathAfter } from "../rawPath.ts";
import type { Registry } from "../registry.ts";
import { readVersions } from "./readVersions.ts";
import { isLatest, type ServerEntry, type ServerList, serverEntry } from "./serverEntry.ts";

/**
 * Answers `/v0.1/servers/{serverName}/versions` and `…/versions/{version}`, where the name's slash may stand encoded or
 * as it is. The versions of a server are all that were published, whatever their status; `latest` is the current one
 * of the highest Active major, or of the highest when none is.
 *
 * @throws ApiProblem 404 `not-found`, IndexNeededError while the index is away.
 */
export async function readServer(request: Request, registry: Registry): Promise<ServerEntry | ServerList> {
  const { name, version } = readPath(rawPathAfter(request, "/v0.1/servers/"));
  const did = didOfServerName(name);
  const listed = did === undefined ? [] : await readVersions(registry, did);
  const { publicUrl } = registry.environment;
  const servers = listed.flatMap((server) => serverEntry(server, publicUrl) ?? []);
  if (servers.length === 0) throw notFound(`No MCP server is named ${name}.`);
  if (version === undefined) return { servers, metadata: { count: servers.length } };
  const entry = servers.find((server) =>
    version === "latest" ? isLatest(server) : server.server.version === version,
  );
  if (!entry) throw notFound(`${name} has no version ${version}; /versions lists those that it has.`);
  return entry;
}

function readPath(rawPath: string): { name: string; version?: string } {
  const [, name, version] = /^([^/]+(?:\/|%2f)[^/]+?)\/versions(?:\/([^/]+))?$/i.exec(rawPath) ?? [];
  if (name === undefined) throw notFound("Routes are /v0.1/servers and /v0.1/servers/{serverName}/versions.");
  const decoded = { name: decode(name) };
  return version === undefined ? decoded : { ...decoded, version: decode(version) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw notFound("The path is not valid percent-encoding.");
  }
}

const notFound = (detail: string) => new ApiProblem(404, "not-found", "Server not found", { detail });
