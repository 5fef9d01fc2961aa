import { copyFile, readFile, realpath, rename, stat, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { UsageError } from "@app-registry/mcp";
import { isJsonObject, type JsonObject, type JsonValue, normalizeAddress } from "@app-registry/sdk";
import {
  applyEdits,
  type FormattingOptions,
  modify,
  type ParseError,
  parse as parseJsonc,
} from "jsonc-parser";
import { parse as parseToml, stringify as stringifyToml } from "smol-toml";

export type ConfiguredServer = {
  name: string;
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

const isToml = (file: string): boolean => file.endsWith(".toml");

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

const urlFields = ["url", "serverUrl", "httpUrl"];

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

/** Guard that takes the place of a server's address. */
export type Guard = { did: string; package: string; registryUrl: string };

/** Fields of an entry with an address that an entry with a program can't have. */
const addressFields = [
  ...urlFields,
  "type",
  "headers",
  "http_headers",
  "env_http_headers",
  "bearer_token_env_var",
];

/** Fields of an entry that have the same meaning for a program. */
const keptFields = new Set([
  ...["command", "args", "env", "env_vars", "cwd", "description", "enabled", "disabled", "dev", "gallery"],
  ...["timeout", "trust", "includeTools", "excludeTools", "alwaysAllow", "autoApprove", "disabledTools"],
  ...["startup_timeout_sec", "startup_timeout_ms", "tool_timeout_sec", "enabled_tools", "disabled_tools"],
]);

/**
 * Returns the entry that starts the guard. Header values move to the environment of the guard, so that no argument
 * contains them.
 *
 * @throws {UsageError} for an entry with further fields, which may be ways to authenticate.
 */
export function createGuardEntry(
  { name, entry }: ConfiguredServer,
  guard: Guard,
  platform: NodeJS.Platform,
): JsonObject {
  if (JSON.stringify(entry.args ?? "").includes("--header"))
    throw new UsageError("It passes a header to mcp-remote. Change it by hand.");
  const kept = Object.entries(entry).filter(([field]) => !addressFields.includes(field));
  const other = kept.find(([field]) => !keptFields.has(field));
  if (other)
    throw new UsageError(
      `It has the field ${JSON.stringify(other[0])}, which the guard doesn't take. Change it by hand.`,
    );
  const { headers, env, variables } = readHeaders(name, entry);
  const npx = platform === "win32" ? ["cmd", "/c", "npx"] : ["npx"];
  const [command = "", ...first] = npx;
  const args = [
    ...first,
    "-y",
    guard.package,
    "connect",
    guard.did,
    "--registry",
    guard.registryUrl,
    ...headers,
  ];
  return {
    ...Object.fromEntries(kept),
    command,
    args,
    ...(Object.keys(env).length > 0 && { env: { ...(isJsonObject(entry.env) ? entry.env : {}), ...env } }),
    ...(variables.length > 0 && {
      env_vars: [...(Array.isArray(entry.env_vars) ? entry.env_vars : []), ...variables],
    }),
  };
}

/** Converts the headers of an entry to arguments of the guard that name variables of the environment. */
function readHeaders(server: string, entry: JsonObject) {
  const headers: string[] = [];
  const env: Record<string, JsonValue> = {};
  const variables: string[] = [];
  const pairs = [entry.headers, entry.http_headers].flatMap((given) =>
    isJsonObject(given) ? Object.entries(given) : [],
  );
  for (const [name, value] of pairs) {
    const variable = `MCP_${server}_${name}`.toUpperCase().replace(/\W+/g, "_");
    headers.push("--header", `${name}: {${variable}}`);
    env[variable] = value ?? "";
  }
  // Codex names variables of its own environment.
  const named = isJsonObject(entry.env_http_headers) ? Object.entries(entry.env_http_headers) : [];
  for (const [name, variable] of named) {
    headers.push("--header", `${name}: {${variable}}`);
    variables.push(String(variable));
  }
  if (typeof entry.bearer_token_env_var === "string") {
    headers.push("--header", `Authorization: Bearer {${entry.bearer_token_env_var}}`);
    variables.push(entry.bearer_token_env_var);
  }
  return { headers, env, variables };
}

/**
 * Replaces an entry in the text of a configuration and keeps everything else: comments, order and line ends.
 *
 * @throws {UsageError} if the result would differ elsewhere.
 */
export function replaceEntry(
  file: string,
  text: string,
  { path, entry }: ConfiguredServer,
  by: JsonObject,
): string {
  const changed = isToml(file) ? replaceToml(text, path, by) : replaceJson(text, path, entry, by);
  const expected = setAt(parseConfiguration(file, text), path, by);
  if (!isDeepStrictEqual(parseConfiguration(file, changed), expected))
    throw new UsageError(
      `${file} can't be changed without changing more than this entry. Change it by hand.`,
    );
  return changed;
}

function replaceJson(text: string, path: string[], entry: JsonObject, by: JsonObject): string {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const indent = /^[ \t]+(?=")/m.exec(text)?.[0] ?? "  ";
  // A text of one line would be formatted as a whole.
  const formattingOptions: FormattingOptions | undefined = text.trim().includes("\n")
    ? { eol, insertSpaces: !indent.startsWith("\t"), tabSize: indent.length, keepLines: true }
    : undefined;
  const fields = new Set([...Object.keys(entry), ...Object.keys(by)]);
  return [...fields].reduce((current, field) => {
    if (isDeepStrictEqual(entry[field], by[field])) return current;
    return applyEdits(
      current,
      modify(current, [...path, field], by[field], formattingOptions ? { formattingOptions } : {}),
    );
  }, text);
}

/** Replaces the lines of a table and of the tables in it. TOML parsers keep no layout. */
function replaceToml(text: string, path: string[], by: JsonObject): string {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = text.split(eol);
  const table = (line: string) =>
    /^\s*\[\s*mcp_servers\s*\.\s*("[^"]*"|'[^']*'|[\w-]+)\s*(?:\.[^\]]*)?\]/
      .exec(line)?.[1]
      ?.replace(/^["']|["']$/g, "");
  const name = path.at(-1);
  const start = lines.findIndex((line) => table(line) === name);
  const after = lines.findIndex(
    (line, index) => index > start && /^\s*\[/.test(line) && table(line) !== name,
  );
  const end = after === -1 ? lines.length : after;
  // Comments above the next table belong to it.
  let last = end;
  while (last > start + 1 && /^\s*(?:#.*)?$/.test(lines[last - 1] ?? "")) last -= 1;
  const written = stringifyToml({ mcp_servers: { [String(name)]: by } })
    .trimEnd()
    .split("\n");
  if (start === -1) return text;
  return [
    ...lines.slice(0, start),
    ...written.filter((line) => line !== "[mcp_servers]"),
    ...lines.slice(last),
  ].join(eol);
}

function setAt(configuration: JsonObject, [key = "", ...rest]: string[], value: JsonObject): JsonObject {
  const inner = configuration[key];
  return {
    ...configuration,
    [key]: rest.length === 0 ? value : setAt(isJsonObject(inner) ? inner : {}, rest, value),
  };
}

/**
 * Writes a configuration in place of the text that was read, and keeps a copy beside it.
 *
 * @returns Path of the copy.
 * @throws {UsageError} if the file has changed meanwhile.
 */
export async function writeConfiguration(file: string, before: string, text: string): Promise<string> {
  // Keep a link to a folder of settings.
  const target = await realpath(file);
  const copy = `${target}.${Date.now()}.bak`;
  const { mode } = await stat(target);
  if ((await readFile(file, "utf8")) !== before)
    throw new UsageError(`${file} has changed meanwhile. Run this again.`);
  await copyFile(target, copy);
  const temporary = `${target}.${process.pid}.tmp`;
  await writeFile(temporary, text, { mode, flag: "wx" });
  await rename(temporary, target);
  return copy;
}
