import { homedir } from "node:os";
import { join } from "node:path";
import { UsageError } from "@app-registry/mcp";
import { isJsonObject, type JsonObject, type JsonValue, normalizeAddress } from "@app-registry/sdk";
import { type ParseError, parse as parseJsonc } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";

/** MCP server in a client's configuration. */
export type ConfiguredServer = {
  name: string;
  /** Path of the entry in the file. */
  path: string[];
  entry: JsonObject;
} & (
  | {
      kind: "address";
      url: string;
      /** True if `url` is without a query that the file has. Some servers expect a token in it. */
      hasQuery: boolean;
    }
  /** Server behind the guard of the registry that serves the guard's package. */
  | { kind: "guarded"; service: string; registryUrl: string }
  /** Local program; `program` names its command and package, without other arguments. */
  | { kind: "program"; program: string }
  | { kind: "unreadable"; reason: string }
);

/** Keys of the servers in the files of Claude, Cursor, Gemini CLI, Windsurf; VS Code; Zed; Codex. */
const serverKeys = ["mcpServers", "servers", "context_servers", "mcp_servers"];

/**
 * Lists the usual places of the configurations of Claude Code and Desktop, Cursor, VS Code, Gemini CLI, Codex, Windsurf
 * and Zed.
 */
export function listClientFiles(
  folder: string,
  { home = homedir(), platform = process.platform, env = process.env }: Machine = {},
): string[] {
  const roaming = env.APPDATA ?? join(home, "AppData", "Roaming");
  const configuration = env.XDG_CONFIG_HOME ?? join(home, ".config");
  const support = platform === "darwin" ? join(home, "Library", "Application Support") : configuration;
  const settings = platform === "win32" ? roaming : support;
  const zed = platform === "win32" ? join(roaming, "Zed") : join(configuration, "zed");
  const own = [
    ".mcp.json",
    ".cursor/mcp.json",
    ".vscode/mcp.json",
    ".gemini/settings.json",
    ".codex/config.toml",
    ".zed/settings.json",
  ];
  const ofUser = [
    ".claude.json",
    ".cursor/mcp.json",
    ".gemini/settings.json",
    ".codex/config.toml",
    ".codeium/windsurf/mcp_config.json",
  ];
  return [
    ...new Set([
      ...own.map((file) => join(folder, file)),
      ...ofUser.map((file) => join(home, file)),
      join(settings, "Claude", "claude_desktop_config.json"),
      join(settings, "Code", "User", "mcp.json"),
      join(zed, "settings.json"),
    ]),
  ];
}

/** Machine whose usual places are listed. */
export type Machine = {
  home?: string;
  platform?: NodeJS.Platform;
  env?: Record<string, string | undefined>;
};

export const isToml = (file: string): boolean => file.endsWith(".toml");

/**
 * Parses a configuration: JSON, which may have comments and trailing commas, or TOML.
 *
 * @throws {UsageError} for other text. The message contains nothing of the file.
 */
export function parseConfiguration(file: string, text: string): JsonObject {
  const refused = () => new UsageError(`${file} is not valid ${isToml(file) ? "TOML" : "JSON"}.`);
  if (isToml(file)) {
    try {
      return JSON.parse(JSON.stringify(parseToml(text))) as JsonObject;
    } catch {
      throw refused();
    }
  }
  const errors: ParseError[] = [];
  const value = parseJsonc(text, errors, { allowTrailingComma: true, allowEmptyContent: true }) as
    | JsonValue
    | undefined;
  if (errors.length > 0) throw refused();
  return isJsonObject(value) ? value : {};
}

/** Lists the MCP servers of a configuration, also those of the projects in Claude Code's own file. */
export function listServers(configuration: JsonObject): ConfiguredServer[] {
  const projects = isJsonObject(configuration.projects) ? configuration.projects : {};
  const places: [string[], JsonValue | undefined][] = [
    [[], configuration],
    // Settings of VS Code.
    [["mcp"], configuration.mcp],
    ...Object.entries(projects).map(([project, value]): [string[], JsonValue | undefined] => [
      ["projects", project],
      value,
    ]),
  ];
  return places.flatMap(([path, place]) => {
    if (!isJsonObject(place)) return [];
    return serverKeys.flatMap((key) => {
      const servers = place[key];
      if (!isJsonObject(servers)) return [];
      return Object.entries(servers).map(([name, entry]) => readServer(name, [...path, key, name], entry));
    });
  });
}

/** Fields in which clients write the URL of a server. */
export const urlFields = ["url", "serverUrl", "httpUrl"];

function readServer(name: string, path: string[], value: JsonValue | undefined): ConfiguredServer {
  const entry = isJsonObject(value) ? value : {};
  const about = { name, path, entry };
  // Earlier versions of Zed had the program in an object.
  const { command, args }: JsonObject = isJsonObject(entry.command)
    ? { ...entry.command, command: entry.command.path ?? "" }
    : entry;
  const words = (Array.isArray(args) ? args : []).filter((word) => typeof word === "string");
  const given = [...urlFields.map((field) => entry[field]), command].filter((field) => field !== undefined);
  // Clients differ in which of them they use.
  if (given.length > 1)
    return { ...about, kind: "unreadable", reason: "it names more than one address or program" };
  const url = command === undefined ? given[0] : findRemoteUrl(words);
  if (typeof url === "string") {
    if (/[{}]|\$\w/.test(url)) return { ...about, kind: "unreadable", reason: "its URL contains variables" };
    const address = normalizeAddress(url);
    if (address === undefined) return { ...about, kind: "unreadable", reason: "it has no usable URL" };
    const [withoutQuery = ""] = address.split("?", 1);
    return { ...about, kind: "address", url: withoutQuery, hasQuery: withoutQuery !== address };
  }
  if (typeof command !== "string")
    return { ...about, kind: "unreadable", reason: "it names no address and no program" };
  return {
    ...about,
    ...(readGuard([command, ...words]) ?? { kind: "program", program: describeProgram(command, words) }),
  };
}

/** Package of the guard as a registry serves it. */
const guardPackage = /^(https?:\/\/\S+)\/packages\/app-registry-(?:mcp|cli)-[\w.-]+\.tgz$/;

/** Reads a command that starts the guard of the registry that serves it, with no option that lets more pass. */
function readGuard(words: readonly string[]) {
  const start = words.indexOf("-y");
  const [named = "", connect, service, ...options] = words.slice(start + 1);
  const registryUrl = guardPackage.exec(named)?.[1];
  const isNpx = /^(?:cmd \/c )?npx$/.test(words.slice(0, start).join(" "));
  if (!isNpx || connect !== "connect" || service === undefined || registryUrl === undefined) return undefined;
  const isAllowed = (name: string, value: string | undefined) =>
    name === "--header" || (name === "--registry" && value === registryUrl);
  const isPlain = options.every((word, index) => index % 2 === 1 || isAllowed(word, options[index + 1]));
  return isPlain ? ({ kind: "guarded", service, registryUrl } as const) : undefined;
}

/** Returns the URL to which the bridge mcp-remote connects. */
function findRemoteUrl(words: readonly string[]): string | undefined {
  if (!words.some((word) => /^mcp-remote(?:@|$)/.test(word))) return undefined;
  return words.find((word) => /^https?:\/\//.test(word));
}

/** Programs that start a package, which follows their name and these words. */
const runners = /(?:^|[\\/])(?:npx|bunx|uvx|pipx|pnpm|yarn|cmd)(?:\.exe|\.cmd)?$/;
const harmless = /^(?:-y|--yes|-q|--quiet|\/c|npx|dlx|exec|run)$/i;

/** Names the package only if no option comes before it, whose value could be a token. */
function describeProgram(command: string, words: readonly string[]): string {
  const name = command.split(/[\\/]/).at(-1) ?? "";
  const first = runners.test(command) ? words.find((word) => !harmless.test(word)) : undefined;
  return first !== undefined && /^@?\w[\w.-]*(?:[/:@][\w.-]+)*$/.test(first) ? `${name} ${first}` : name;
}
