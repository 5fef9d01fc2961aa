import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { serveHttp } from "@app-registry/test-kit/httpServer";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CliFixture, createCliFixture } from "../../test/cliFixture.ts";
import {
  createGuardEntry,
  listClientFiles,
  listServers,
  parseConfiguration,
  replaceEntry,
} from "../audit/clientFiles.ts";

const SECRET = "sk-secret-1234";
const address = "https://audited.example/mcp";

let fixture: CliFixture;
let did: string;

beforeAll(async () => {
  fixture = await createCliFixture();
  did = await fixture.publishNew("Audited", () => ({ endpoints: [{ name: "REST", endpoint: address }] }));
});
afterAll(() => fixture.close());

/** Configuration of each client with the same servers, as its vendor documents it. */
const headers = { Authorization: `Bearer ${SECRET}` };
const local = { command: "npx", args: ["-y", "@acme/files@1.2.0", "--token", SECRET], env: { KEY: SECRET } };
const guarded = {
  command: "npx",
  args: ["-y", "https://r.example/packages/app-registry-mcp-0.1.0.tgz", "connect", "did:web:a.example"],
};
const json = (value: object) => JSON.stringify(value, null, 2);
const files: Record<string, string> = {
  "claude-code/.mcp.json": json({
    mcpServers: { good: { type: "http", url: `${address}/`, headers }, files: local, safe: guarded },
  }),
  "claude-code-user/.claude.json": json({
    numStartups: 3,
    projects: { "/home/me/app": { mcpServers: { good: { type: "http", url: address, headers } } } },
  }),
  "claude-desktop/claude_desktop_config.json": json({
    mcpServers: { good: { command: "npx", args: ["mcp-remote", address] }, files: local },
  }),
  "cursor/mcp.json": json({ mcpServers: { good: { url: address, headers } } }),
  "vscode/mcp.json": `{\r\n\t// Servers of this project\r\n\t"servers": {\r\n\t\t"good": { "type": "http", "url": "${address}", "headers": { "Authorization": "Bearer \${input:token}" } }, // ours\r\n\t\t"files": ${JSON.stringify(local)},\r\n\t},\r\n\t"inputs": []\r\n}\r\n`,
  "gemini/settings.json": json({
    theme: "dark",
    mcpServers: { good: { httpUrl: address, headers, timeout: 5000 } },
  }),
  "codex/config.toml": `model = "gpt-5"\n\n# Ours\n[mcp_servers.good] # remote\nurl = "${address}"\nbearer_token_env_var = "ACME_TOKEN"\n\n[mcp_servers.good.http_headers]\nX-Team = "${SECRET}"\n\n# A program\n[mcp_servers.files]\ncommand = "npx"\nargs = ["-y", "@acme/files"]\n`,
  "windsurf/mcp_config.json": json({ mcpServers: { good: { serverUrl: address, headers } } }),
  "minified/.mcp.json": `{"mcpServers":{"good":{"type":"http","url":"${address}","headers":{"Authorization":"x"}},"files":${JSON.stringify(local)}}}`,
  "zed/settings.json": `// Zed settings\n{\n  "theme": "One Dark",\n  "context_servers": {\n    "good": { "url": "${address}", "headers": { "Authorization": "Bearer ${SECRET}" }, "enabled": true }\n  },\n}\n`,
};

async function put(name: string, text: string) {
  const file = join(fixture.directory, "audit", name);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  return file;
}

type Row = { name: string; verdict: string; target: string; did?: string };

describe("audit", () => {
  it.each(Object.entries(files))("reads %s without printing a secret", async (name, text) => {
    const file = await put(name, text);
    const { code, json, stdout, stderr } = await fixture.cli(["audit", file, "--json"]);
    const rows = json().servers as Row[];
    expect(rows[0]).toMatchObject({ name: "good", verdict: "registered", target: address, did });
    for (const row of rows.slice(1))
      expect(row).toMatchObject(
        row.name === "safe"
          ? { verdict: "program", target: "did:web:a.example", detail: "the guard of another registry" }
          : { verdict: "program", target: expect.stringMatching(/^npx @acme\/files/) },
      );
    expect(stdout + stderr).not.toContain(SECRET);
    expect(code).toBe(0);
  });

  it("exits with 1 for an unregistered server, and sends neither queries nor the requests of programs", async () => {
    const file = await put(
      "none.json",
      json({
        mcpServers: { other: { url: `https://user:${SECRET}@other.example/mcp?key=${SECRET}`, headers } },
      }),
    );
    const { code, stdout, stderr } = await fixture.cli(["audit", file]);
    expect(stdout).toMatch(/^not registered +other +https:\/\/other\.example\/mcp /);
    expect(stdout + stderr).not.toContain(SECRET);
    expect(code).toBe(1);
    expect((await fixture.cli(["audit", file, "--allow", "unregistered"])).code).toBe(0);
  });

  it("keeps a byte order mark", async () => {
    fixture.service.packages = { mcp: guard.package };
    const text = `\uFEFF${files["windsurf/mcp_config.json"]}`;
    const file = await put("mark/mcp_config.json", text);
    const { json } = await fixture.cli(["audit", file, "--fix", "--json"]);
    expect(json().servers).toMatchObject([{ name: "good", verdict: "guarded" }]);
    const changed = await readFile(file, "utf8");
    expect(changed).toMatch(/^\uFEFF\{\n/);
    expect(changed).toContain(guard.package);
    fixture.service.packages = undefined;
  });

  it("asks a registered server itself only with --live, and says that it differs", async () => {
    const requests: (string | undefined)[] = [];
    const url = await serveHttp((request, response) => {
      requests.push(request.headers.authorization);
      response.writeHead(requests.length > 1 ? 500 : 200).end();
    });
    await fixture.publishNew("Live", () => ({ endpoints: [{ name: "REST", endpoint: url }] }));
    const file = await put("live.json", json({ mcpServers: { live: { url, headers } } }));
    const audit = async (...words: string[]) => {
      const { code, json } = await fixture.cli(["audit", file, "--json", ...words]);
      return { code, row: (json().servers as Row[])[0] };
    };
    expect(await audit()).toMatchObject({ code: 0, row: { verdict: "registered" } });
    expect(requests).toEqual([]);
    expect(await audit("--live")).toMatchObject({
      code: 0,
      row: { verdict: "registered", detail: expect.stringMatching(/^answers on \d{4}-\d\d-\d\d$/) },
    });
    expect(await audit("--live")).toMatchObject({ code: 1, row: { verdict: "differs" } });
    expect(requests.filter(Boolean)).toEqual([]);
  });

  it("names no word of a program's arguments that could be a token", () => {
    const targets = [
      ["npx", "--token", SECRET, "@acme/files"],
      ["npx", "-y", `--key=${SECRET}`],
      ["docker", "run", "-e", SECRET, "image"],
      ["/usr/bin/files", SECRET],
    ].map(([command = "", ...args]) => listServers({ mcpServers: { a: { command, args } } })[0]);
    expect(targets.map((server) => server?.kind === "program" && server.program)).toEqual([
      "npx",
      "npx",
      "docker",
      "files",
    ]);
  });

  it("says that a file is no configuration without repeating it, and reads the others", async () => {
    const broken = await put("broken.json", `{ "mcpServers": ${SECRET} }`);
    const good = await put("good.json", files["cursor/mcp.json"] as string);
    const { code, json, stdout, stderr } = await fixture.cli(["audit", broken, "-", good, "--json"]);
    expect(json().servers).toMatchObject([
      { file: broken, verdict: "unknown", detail: expect.stringContaining("is not valid JSON") },
      { file: "-", verdict: "unknown", detail: expect.stringContaining("can't be read") },
      { name: "good", verdict: "registered" },
    ]);
    expect(stdout + stderr).not.toContain(SECRET);
    expect(code).toBe(3);
  });

  // @threat services: An address, domain or account that passes for another service's
  it.each([
    ["a program beside the address", { command: "sh", args: ["-c", "x"], url: address }, "unknown"],
    ["two addresses", { httpUrl: "https://stranger.example/mcp", url: address }, "unknown"],
    ["a query", { url: `${address}?read_only=true&key=${SECRET}` }, "unknown"],
    ["a variable", { url: `${address}/\${ID}` }, "unknown"],
    [
      "another host's guard",
      { ...guarded, args: guarded.args.with(1, "https://evil.example/app-registry-mcp-9.tgz") },
      "program",
    ],
    [
      "a shell before the guard",
      { ...guarded, command: "sh", args: ["-c", "x #", ...guarded.args] },
      "program",
    ],
    [
      "a guard that lets changes pass",
      { ...guarded, args: [...guarded.args, "--on-drift", "allow"] },
      "program",
    ],
    [
      "a guard of another registry",
      { ...guarded, args: [...guarded.args, "--registry", "https://evil.example"] },
      "program",
    ],
  ])("doesn't take for registered or guarded: %s", async (_what, entry, verdict) => {
    const file = await put("lie.json", json({ mcpServers: { lie: entry } }));
    const { json: read, stdout } = await fixture.cli(["audit", file, "--json"]);
    expect(read().servers).toMatchObject([{ name: "lie", verdict }]);
    expect(stdout).not.toContain(SECRET);
  });

  it("reads the servers in the settings of VS Code", () =>
    expect(listServers({ mcp: { servers: { good: { url: address } } } })).toMatchObject([
      { name: "good", kind: "address", url: address },
    ]));

  it("lists the usual places of each system", () => {
    const list = (platform: NodeJS.Platform) =>
      listClientFiles("/project", { home: "/home/me", platform, env: {} });
    expect(list("linux")).toContain("/home/me/.config/Claude/claude_desktop_config.json");
    expect(list("darwin")).toContain("/home/me/Library/Application Support/Code/User/mcp.json");
    expect(list("win32")).toContain("/home/me/AppData/Roaming/Claude/claude_desktop_config.json");
    for (const platform of ["linux", "darwin", "win32"] as const)
      expect(list(platform)).toEqual(
        expect.arrayContaining(["/project/.mcp.json", "/home/me/.codex/config.toml"]),
      );
  });
});

const guard = {
  did: "did:web:a.example",
  package: "https://r.example/packages/app-registry-mcp-0.1.0.tgz",
  registryUrl: "https://r.example",
};

describe("audit --fix", () => {
  it.each(Object.entries(files))("changes one entry of %s and nothing else", (name, text) => {
    const [server] = listServers(parseConfiguration(name, text));
    if (!server) throw new Error("no server");
    const by = createGuardEntry(server, guard, "linux");
    const changed = replaceEntry(name, text, server, by);
    const args = JSON.stringify(by.args);
    expect(by.command).toBe("npx");
    expect(args).toContain('"connect","did:web:a.example","--registry","https://r.example"');
    // Credentials stay in the file, in the environment of the guard.
    expect(args).not.toContain(SECRET);
    expect(args.includes("Authorization: ")).toBe(!name.startsWith("claude-desktop"));
    for (const line of text
      .split(/\r?\n/)
      .filter(
        (one) =>
          !/good|url|Url|Authorization|headers|Bearer|X-Team|type|ACME|mcp-remote|audited|timeout|command|"args"|[{}\]]/.test(
            one,
          ),
      ))
      expect(changed.split(/\r?\n/)).toContain(line);
    const [other] = listServers(parseConfiguration(name, text)).slice(1);
    if (other && text.includes(JSON.stringify(other.entry)))
      expect(changed).toContain(JSON.stringify(other.entry));
    expect(changed.includes("\r\n")).toBe(text.includes("\r\n"));
    const hasLineFeed = (one: string) => one.replaceAll("\r\n", "").includes("\n");
    expect(hasLineFeed(changed)).toBe(hasLineFeed(text));
  });

  it("starts npx through cmd on Windows, and keeps other fields", () => {
    const [server] = listServers(
      parseConfiguration("settings.json", files["gemini/settings.json"] as string),
    );
    if (!server) throw new Error("no server");
    expect(createGuardEntry(server, guard, "win32")).toMatchObject({
      command: "cmd",
      args: expect.arrayContaining(["/c", "npx"]),
      timeout: 5_000,
    });
  });

  it.each(["headersHelper", "oauth", "auth", "authProviderType", "oauth_resource"])(
    "doesn't change a server with %s, which the guard doesn't take",
    async (field) => {
      fixture.service.packages = { mcp: guard.package };
      const text = json({ mcpServers: { good: { url: address, [field]: "x" }, other: { url: address } } });
      const file = await put(`auth-${field}/.mcp.json`, text);
      const { json: read } = await fixture.cli(["audit", file, "--fix", "--json"]);
      fixture.service.packages = undefined;
      expect(read().servers).toMatchObject([
        {
          name: "good",
          verdict: "registered",
          detail: expect.stringContaining(`It has the field "${field}"`),
        },
        { name: "other", verdict: "guarded" },
      ]);
      expect(JSON.parse(await readFile(file, "utf8")).mcpServers.good).toEqual({
        url: address,
        [field]: "x",
      });
    },
  );

  it("writes the file and a copy, and says that the server is guarded", async () => {
    const file = await put("fix/.mcp.json", files["claude-code/.mcp.json"] as string);
    const { code, stderr } = await fixture.cli(["audit", file, "--fix"]);
    // The registry of the tests serves no packages.
    expect(stderr).toContain("doesn't serve the guard");
    expect(code).toBe(2);
    expect(await readFile(file, "utf8")).toBe(files["claude-code/.mcp.json"]);
    const served = `${fixture.service.baseUrl}/packages/app-registry-mcp-0.1.0-0123456789abcdef.tgz`;
    fixture.service.packages = { mcp: served };
    const fixed = await fixture.cli(["audit", file, "--fix", "--json"]);
    expect((fixed.json().servers as Row[]).map(({ verdict }) => verdict)).toEqual([
      "guarded",
      "program",
      "program",
    ]);
    const { mcpServers } = JSON.parse(await readFile(file, "utf8"));
    expect(mcpServers.good).toEqual({
      command: "npx",
      args: [
        "-y",
        served,
        "connect",
        did,
        "--registry",
        fixture.service.baseUrl,
        "--header",
        "Authorization: {MCP_GOOD_AUTHORIZATION}",
      ],
      env: { MCP_GOOD_AUTHORIZATION: `Bearer ${SECRET}` },
    });
    expect(mcpServers.files).toEqual(local);
    const copy = (await readdir(dirname(file))).find((one) => one.endsWith(".bak")) ?? "";
    expect(await readFile(join(dirname(file), copy), "utf8")).toBe(files["claude-code/.mcp.json"]);
    const again = await fixture.cli(["audit", file, "--fix", "--json"]);
    expect((again.json().servers as Row[])[0]).toMatchObject({ verdict: "guarded", target: did });
  });
});
