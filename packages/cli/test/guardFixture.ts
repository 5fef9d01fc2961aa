import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { Client, type ClientOptions } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect } from "vitest";
import { type CliFixture, createCliFixture } from "./cliFixture.ts";
import { compileCache } from "./runCli.ts";

const programs = {
  /** The package that clients start. */
  guard: fileURLToPath(new URL("../../mcp/bin/app-registry-mcp.js", import.meta.url)),
  /** The same as a command of the CLI. */
  cli: fileURLToPath(new URL("../bin/app-registry.js", import.meta.url)),
};

export type GuardFixture = {
  cli: CliFixture["cli"];
  /** Publishes the metadata that `init` creates for a server, by default as version 1.0.0. Returns the DID. */
  publish(url: string, did?: string, version?: string): Promise<string>;
  /** Connects an MCP client to `app-registry-mcp connect <did>`, like an agent. The fact Origin may fail. */
  connect(
    did: string,
    options?: { args?: string[]; client?: ClientOptions; program?: keyof typeof programs },
  ): Promise<GuardedClient>;
  close(): Promise<void>;
};

export type GuardedClient = {
  client: Client;
  /** Ends the connection and returns the standard error of the command. */
  end(): Promise<string>;
};

/** Creates a registry and functions that connect MCP clients to its services through the real command. */
export async function createGuardFixture(): Promise<GuardFixture> {
  const fixture = await createCliFixture();
  const key = await fixture.newKey();
  const open = new Set<Client>();
  return {
    cli: fixture.cli,
    async publish(url, did = fixture.newDid(key), version = "1.0.0") {
      const { stdout } = await fixture.cli(["init", url, "--name", did, "--out", "-"]);
      const file = await fixture.write(`${encodeURIComponent(did)}-${version}.json`, stdout);
      const command = version === "1.0.0" ? "publish" : "update";
      const { code, stderr } = await fixture.cli([command, file, "--did", did, "--version", version], key);
      expect(code, stderr).toBe(0);
      return did;
    },
    async connect(did, { args = [], client: options, program = "guard" } = {}) {
      const transport = new StdioClientTransport({
        command: process.execPath,
        args: [programs[program], "connect", did, "--without", "origin", ...args],
        env: { ...compileCache, APP_URL: fixture.service.baseUrl, TOKEN: "secret" },
        stderr: "pipe",
      });
      const client = new Client({ name: "test", version: "1" }, options);
      const notes = transport.stderr ? text(transport.stderr as Readable) : "";
      open.add(client);
      // Use a long timeout, because a busy machine starts processes slowly.
      await client.connect(transport, { timeout: 600_000 });
      return {
        client,
        async end() {
          await client.close();
          return notes;
        },
      };
    },
    async close() {
      for (const client of open) await client.close();
      await fixture.close();
    },
  };
}
