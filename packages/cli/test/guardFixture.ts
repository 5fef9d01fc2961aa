import { PassThrough, type Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { addRegistryOptions, connect, defineConnect, runGuard } from "@app-registry/mcp";
import { visibleText } from "@app-registry/sdk";
import { Command } from "@commander-js/extra-typings";
import { Client, type ClientOptions } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { expect } from "vitest";
import { createCliFixture } from "./cliFixture.ts";
import { programs } from "./programs.ts";
import { compileCache } from "./runCli.ts";

export type GuardFixture = Awaited<ReturnType<typeof createGuardFixture>>;

type Options = { args?: string[]; client?: ClientOptions; program?: keyof typeof programs };

// Each guard in this process adds listeners for signals.
process.setMaxListeners(0);

/** Starts the command in this process. A separate process takes a second to load its modules. */
function startHere(args: string[]) {
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  const lines: string[] = [];
  const root = addRegistryOptions(new Command()).exitOverride();
  defineConnect(root.command("connect")).action(async (service, options) => {
    const note = (line: string) => void lines.push(visibleText(line));
    await runGuard(await connect(root.opts()), service, options, note, { stdin, stdout });
  });
  const notes = root.parseAsync(args, { from: "user" }).then(() => lines.join("\n"));
  // A transport of a server reads and writes lines, like that of a client.
  const transport = Object.assign(new StdioServerTransport(stdout, stdin), { onclose: () => stdin.end() });
  return { transport, notes };
}

/** Starts the command in a separate process. */
function startProgram(program: keyof typeof programs, args: string[]) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [programs[program], ...args],
    env: compileCache,
    stderr: "pipe",
  });
  return { transport, notes: text(transport.stderr as Readable) };
}

/** Creates a registry and functions that connect MCP clients to its services through the real command. */
export async function createGuardFixture() {
  const fixture = await createCliFixture();
  const key = await fixture.newKey();
  const open = new Set<Client>();
  return {
    cli: fixture.cli,
    /** Publishes the metadata that `init` creates for a server, by default as version 1.0.0. Returns the DID. */
    async publish(url: string, did = fixture.newDid(key), version = "1.0.0") {
      const { stdout } = await fixture.cli(["init", url, "--name", did, "--out", "-"]);
      const file = await fixture.write(`${encodeURIComponent(did)}-${version}.json`, stdout);
      const command = version === "1.0.0" ? "publish" : "update";
      const { code, stderr } = await fixture.cli([command, file, "--did", did, "--version", version], key);
      expect(code, stderr).toBe(0);
      return did;
    },
    /**
     * Connects an MCP client to `connect <did>` in this process or, if `program` is given, in a separate one, like an
     * agent. The fact Origin may fail.
     */
    async connect(did: string, { args = [], client: options, program }: Options = {}) {
      const { baseUrl } = fixture.service;
      const parameters = ["--registry", baseUrl, "connect", did, "--without", "origin", ...args];
      const { transport, notes } = program ? startProgram(program, parameters) : startHere(parameters);
      const client = new Client({ name: "test", version: "1" }, options);
      open.add(client);
      const ended = notes.then((text) => Promise.reject(new Error(text)));
      // Use a long timeout, because a busy machine starts processes slowly.
      await Promise.race([client.connect(transport, { timeout: 600_000 }), ended]);
      return {
        client,
        /** Ends the connection and returns the standard error of the command. */
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
