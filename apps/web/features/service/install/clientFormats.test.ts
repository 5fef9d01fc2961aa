import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import type { InstallVariant } from "./clients.ts";
import { endpointInstallation } from "./installVariants.ts";

// The formats of the clients, as their vendors documented or published them in November 2026. Each is closed, so that a
// member that a client ignores or refuses fails.
const texts = z.record(z.string(), z.string());
const program = { command: z.string().min(1), args: z.array(z.string()), env: texts.optional() };
const remoteUrl = z.string().regex(/^https?:\/\/.+/);

/** Program of clients that only start local servers. Claude Desktop has no other kind. */
const local = z.strictObject(program);
const serverName = z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/);
const servers = (entry: z.ZodType) => z.strictObject({ mcpServers: z.record(serverName, entry) });

/** Variables of the environment that a client expands in a text. */
const expansions: Record<string, RegExp> = {
  claude: /\$\{TOKEN\}/,
  editor: /\$\{env:TOKEN\}/,
  // Gemini CLI also expands $NAME.
  gemini: /\$\{?\w+/,
};

/** https://code.claude.com/docs/en/mcp */
const claudeCode = servers(
  z.union([
    z.strictObject({ type: z.literal("stdio").optional(), ...program }),
    z.strictObject({ type: z.enum(["http", "sse"]), url: remoteUrl, headers: texts.optional() }),
  ]),
);
/** https://cursor.com/docs/context/mcp */
const cursorEntry = z.union([
  z.strictObject({ type: z.literal("stdio").optional(), ...program, envFile: z.string().optional() }),
  z.strictObject({ url: remoteUrl, headers: texts.optional() }),
]);
/** mcpServerSchema in microsoft/vscode, src/vs/workbench/contrib/mcp/common/mcpConfiguration.ts */
const vsCodeEntry = z.union([
  z.strictObject({ type: z.literal("stdio").optional(), ...program }),
  z.strictObject({ type: z.enum(["http", "sse"]).optional(), url: remoteUrl, headers: texts.optional() }),
]);
/** MCPServerConfig in google-gemini/gemini-cli, schemas/settings.schema.json */
const gemini = servers(
  z.strictObject({
    ...program,
    cwd: z.string().optional(),
    timeout: z.number().optional(),
    trust: z.boolean().optional(),
  }),
);

const formats: Record<string, z.ZodType> = {
  ".mcp.json": claudeCode,
  ".mcp.json or claude_desktop_config.json": z.intersection(claudeCode, servers(local)),
  ".cursor/mcp.json": servers(cursorEntry),
  ".vscode/mcp.json": z.strictObject({ servers: z.record(serverName, vsCodeEntry) }),
  ".gemini/settings.json": gemini,
  "Configuration on Windows": servers(local),
};

const did = "did:web:mcp.example.com";
const credentials = {
  none: undefined,
  bearer: { methods: ["bearer"] },
  basic: { methods: ["basic"] },
  oauth2: { oauth2: { authorizationUrl: "https://login.example/a" } },
  "an API key in a header": { apiKey: { in: "header", name: "X-API-Key" } },
  "an API key in a cookie": { apiKey: { in: "cookie", name: "key" } },
};

const listVariants = (variants: readonly InstallVariant[]): InstallVariant[] =>
  variants.flatMap((variant) => [variant, ...listVariants(variant.variants ?? [])]);

/** Runs a command in a shell with a token, and returns the words that its program gets. */
function runWords(text: string): string[] {
  const show = ["npx", "claude", "code", "curl"].map(
    (name) => `${name}() { printf '%s\\0' ${name} "$@"; }; `,
  );
  const env = { ...process.env, TOKEN: "secret" };
  return execFileSync("sh", ["-c", show.join("") + text], { encoding: "utf8", env })
    .split("\0")
    .slice(0, -1);
}

describe.each(Object.entries(credentials))("snippets for a server that needs %s", (_, authentication) => {
  const endpoint = { name: "MCP", endpoint: "https://mcp.example.com/mcp", authentication };
  const guard = {
    package: "https://r.example/packages/app-registry-mcp-0.1.0-0661b21832a3d297.tgz",
    target: did,
  };
  const { variants } = endpointInstallation(endpoint, did, {
    registryUrl: "https://r.example",
    guard,
  });
  const all = listVariants(variants);
  const blocks = all.flatMap((variant) => variant.blocks);
  const configurations = blocks.filter(({ text }) => text.startsWith("{"));

  it("have the format of each client's file", () => {
    expect(configurations.length).toBeGreaterThan(7);
    for (const { caption, text } of configurations)
      expect(formats[caption]?.safeParse(JSON.parse(text)).error, `${caption}: ${text}`).toBeUndefined();
  });

  it("open editors with the configuration of their files", () => {
    const linked = all.flatMap(({ links = [], blocks }) => links.map(({ href }) => ({ href, blocks })));
    expect(linked).toHaveLength(4);
    for (const { href, blocks } of linked) {
      const { protocol, searchParams, search } = new URL(href);
      const { mcpServers, servers } = JSON.parse(blocks.at(-1)?.text ?? "");
      if (protocol === "cursor:") {
        const entry = JSON.parse(atob(searchParams.get("config") ?? ""));
        expect({ [searchParams.get("name") ?? ""]: entry }).toEqual(mcpServers);
      } else {
        const { name, ...entry } = JSON.parse(decodeURIComponent(search.slice(1)));
        expect({ [name]: entry }).toEqual(servers);
      }
    }
  });

  it("give VS Code and Claude Code the words of their commands", () => {
    const commands = blocks.map(({ text }) => text).filter((text) => /^(?:code|claude) /.test(text));
    expect(commands).toHaveLength(4);
    for (const command of commands) {
      const [word, ...words] = runWords(command);
      if (word === "code") {
        const { name, ...entry } = JSON.parse(words[1] ?? "");
        expect([words[0], serverName.safeParse(name).success, words.length]).toEqual(["--add-mcp", true, 2]);
        vsCodeEntry.parse(entry);
      } else
        expect(words.join("\n")).toMatch(/^mcp\nadd\n(?:--transport\nhttp\n)?mcp-example-com-[0-9a-f]{6}\n/);
    }
  });

  it("contain no credential in arguments and files, but a variable that the client expands", () => {
    for (const { caption, text } of configurations) {
      const { mcpServers, servers: inEditor } = JSON.parse(text);
      const [entry] = Object.values(mcpServers ?? inEditor) as [{ headers?: object; args?: string[] }];
      const args = entry.args?.join("\n") ?? "";
      expect(args).not.toContain("YOUR_");
      for (const expansion of Object.values(expansions)) expect(args).not.toMatch(expansion);
      const expansion = caption === ".mcp.json" ? expansions.claude : expansions.editor;
      for (const value of Object.values(entry.headers ?? {})) expect(value).toMatch(expansion as RegExp);
    }
    for (const { text } of blocks.filter((block) => /^(?:npx add-mcp|claude|curl) /.test(block.text))) {
      expect(text.replace(/--env TOKEN=YOUR_\w+ /, "")).not.toContain("YOUR_");
      // Only curl has nothing that expands a variable later.
      const words = runWords(text).join("\n");
      expect(words.includes("secret")).toBe(text.startsWith("curl ") && authentication !== undefined);
    }
  });
});
