import { ApiProblem } from "../problem.ts";
import { rawPathAfter } from "../rawPath.ts";
import type { Registry } from "../registry.ts";
import { searchServers } from "./searchServers.ts";
import { isLatest, type ServerEntry, type ServerList } from "./serverEntry.ts";
import { didOfServerName } from "./serverName.ts";

/** Most majors of a DID are 256; a client that shows versions shows far fewer. */
const MAX_VERSIONS = 100;

/**
 * Answers `/v0.1/servers/{serverName}/versions` and `…/versions/{version}`, where the name's slash may stand encoded or
 * as it is. The versions of a server are the current ones of its majors, whatever their status; `latest` is the highest
 * of those that are Active.
 *
 * @throws ApiProblem 404 `not-found`, IndexNeededError while the index is away.
 */
export async function readServer(request: Request, registry: Registry): Promise<ServerEntry | ServerList> {
  const { name, version } = readPath(rawPathAfter(request, "/v0.1/servers/"));
  const did = didOfServerName(name);
  const found = did
    ? await searchServers(registry, { did, status: "any", limit: MAX_VERSIONS })
    : { entries: [] };
  const servers = found.entries.toSorted((one, other) => majorOf(other) - majorOf(one));
  if (servers.length === 0) throw notFound(`No MCP server is named ${name}.`);
  if (version === undefined) return { servers, metadata: { count: servers.length } };
  const entry = servers.find((server) =>
    version === "latest" ? isLatest(server) : server.server.version === version,
  );
  if (!entry) throw notFound(`${name} has no ${version} that is current; /versions lists those that are.`);
  return entry;
}

const majorOf = ({ server }: ServerEntry): number => Number(server.version.split(".")[0]);

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
