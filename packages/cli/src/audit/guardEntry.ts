import { copyFile, readFile, realpath, rename, stat, writeFile } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import { UsageError } from "@app-registry/mcp";
import { isJsonObject, type JsonObject, type JsonValue } from "@app-registry/sdk";
import { applyEdits, type FormattingOptions, modify } from "jsonc-parser";
import { stringify as stringifyToml } from "smol-toml";
import { type ConfiguredServer, isToml, parseConfiguration, urlFields } from "./clientFiles.ts";

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
