import { execFile } from "node:child_process";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startMcpServer } from "@app-registry/test-kit/mcpServer";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { Command } from "commander";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { createCompleteProgram } from "../../src/run.ts";
import { type CliFixture, createCliFixture, type Key } from "../cliFixture.ts";
import { oldestNode } from "./oldestNode.ts";

const packed = inject("packed");
const tool = { name: "echo", description: "Says it again.", inputSchema: { type: "object" } };
const done = new Set<string>();
let fixture: CliFixture;
let server: Awaited<ReturnType<typeof startMcpServer>>;
let key: Key;
let folder: string;
let node: string;
let did: string;

beforeAll(async () => {
  node = await oldestNode();
  fixture = await createCliFixture();
  key = await fixture.newKey();
  server = await startMcpServer({ tools: [tool] });
  // Away from the workspace, whose modules Node would find.
  folder = await mkdtemp(join(tmpdir(), "app-registry-oldest-"));
  for (const name of ["cli", "mcp"]) {
    const { content = "" } = packed.find((one) => one.name === `@app-registry/${name}`) ?? {};
    await cp(content, join(folder, name), { recursive: true });
  }
  did = fixture.newDid(key);
});

afterAll(async () => {
  await Promise.all([fixture.close(), server.close(), rm(folder, { recursive: true })]);
});

const environment = () => ({ APP_URL: fixture.service.baseUrl, PRIVATE_KEY: key.key });

/** Runs a command of the packed cli, and returns its JSON. */
function run(...args: string[]): Promise<Record<string, unknown>> {
  const end = args.findIndex((word) => !/^[a-z][a-z-]*$/.test(word));
  done.add(args.slice(0, end).join(" "));
  const words = [join(folder, "cli/bin/app-registry.js"), ...args, "--json"];
  return new Promise((resolve, reject) => {
    execFile(node, words, { cwd: folder, env: environment() }, (failure, stdout, stderr) => {
      try {
        resolve({ code: Number(failure?.code ?? 0), ...JSON.parse(stdout) });
      } catch {
        reject(new Error(`${args.join(" ")}: ${stdout}${stderr}`));
      }
    });
  });
}

/** Connects a client to a server of the packages, and returns the names of its tools. */
async function listTools(program: string, ...args: string[]): Promise<string[]> {
  const client = new Client({ name: "test", version: "1.0.0" });
  const transport = { command: node, args: [join(folder, program), ...args], env: environment() };
  await client.connect(new StdioClientTransport(transport));
  const { tools } = await client.listTools();
  await client.close();
  return tools.map(({ name }) => name);
}

const listCommands = (command: { commands: readonly Command[] }, before: string[] = []): string[] =>
  command.commands.flatMap((inner) => {
    const path = [...before, inner.name()];
    return inner.commands.length === 0 ? [path.join(" ")] : listCommands(inner, path);
  });

it("publishes, reads and changes a record", async () => {
  const { address } = await fixture.newKey();
  const endpoints = [{ name: "MCP", endpoint: server.url, tools: [tool] }];
  const document = await fixture.writeMetadata("echo", { traits: ["api:mcp"], endpoints });
  const changed = await fixture.writeMetadata("echo again", { traits: ["api:mcp"], endpoints });
  for (const args of [
    ["validate", document, "--interfaces", "api"],
    ["init", server.url, "--name", did, "--out", "-"],
    ["hash", document],
    ["publish", document, "--did", did, "--version", "1.0.0", "--yes"],
    ["diff", changed, "--did", did],
    ["update", changed, "--did", did, "--yes"],
    ["get", did],
    ["versions", did],
    ["search", "--did", did],
    ["allowlist", "--client", "claude-code", "--did", did],
    ["probe", did],
    ["status", did],
    ["reclaim", "show", did, "--major", "1", "--claimant", key.address],
    ["challenge", "show", did, key.address, "--challenger", address],
  ])
    expect(await run(...args), args.join(" ")).toMatchObject({ code: 0, ok: true });
});

it("refuses what the facts and the contracts refuse, with a sentence", async () => {
  const { address } = await fixture.newKey();
  expect(await run("verify", did)).toMatchObject({ code: 1, facts: { origin: { outcome: "fail" } } });
  for (const args of [
    ["block", did, address],
    ["unblock", did, address],
    ["challenge", "open", did, key.address],
    ["challenge", "resolve", did, key.address],
    ["reclaim", "open", did, "--major", "1"],
    ["reclaim", "finish", did, "--major", "1"],
    ["dismiss-reclaims", did, "1"],
    ["attest", did, "--controller", address],
    ["revoke", did, "--controller", address],
  ]) {
    const { code, error } = (await run(...args, "--dry-run")) as {
      code: number;
      error?: { message: string };
    };
    expect(code, args.join(" ")).toBeLessThan(3);
    expect(error?.message ?? "", args.join(" ")).not.toMatch(/is not (?:a function|defined)|Cannot read/);
  }
});

it("connects MCP clients through both packages", async () => {
  const facts = ["--without", "attested,origin"];
  expect(await listTools("mcp/bin/app-registry-mcp.js", "connect", did, ...facts)).toEqual(["echo"]);
  expect(await listTools("cli/bin/app-registry.js", "connect", did, ...facts)).toEqual(["echo"]);
  expect(await listTools("mcp/bin/app-registry-mcp.js", "serve")).toContain("search_services");
});

it("runs every command", () => {
  const { root } = createCompleteProgram({ json: true, interactive: false, note() {}, warn() {} });
  const commands = listCommands(root as unknown as Command).filter(
    (name) => !/^connect$|(^| )help$/.test(name),
  );
  expect(commands.filter((name) => !done.has(name))).toEqual([]);
});
