import { setTimeout as sleep } from "node:timers/promises";
import { Option } from "@commander-js/extra-typings";
import { driftModes } from "../connect/allowedCapabilities.ts";
import { createGuard, versionModes } from "../connect/guard.ts";
import { type FactName, factNames, readVerifiedEndpoint } from "../connect/registered.ts";
import { createUpstream } from "../connect/upstream.ts";
import { UsageError } from "../exitCodes.ts";
import { parseTarget } from "../inputs.ts";
import type { Program } from "../program.ts";

const examples = `
Runs as an MCP server on standard input and output. It exposes only what the publisher has registered and the server still lists unchanged. Differences are written to standard error.
--header values can contain environment variables, for example 'Authorization: Bearer \${TOKEN}'.

Examples:
  $ app-registry connect did:web:example.com --registry https://registry.example.com
  $ app-registry connect did:web:example.com@1.0.0 --header 'Authorization: Bearer \${TOKEN}'`;

/** Adds `connect`: an MCP server on standard input and output that guards the connection to a registered one. */
export function addConnect({ root, action }: Program): void {
  root
    .command("connect")
    .description("connect an MCP client to a registered server and block anything that isn't registered")
    .argument("<did[@version]>", "DID, optionally with a version to pin", parseTarget)
    .addOption(
      new Option("--on-drift <mode>", "what to do with unregistered or changed items: block, warn or allow")
        .choices(driftModes)
        .default("block" as const),
    )
    .addOption(
      new Option("--on-new-version <mode>", "what to do when a new version is registered: adopt it or ask")
        .choices(versionModes)
        .default("adopt" as const),
    )
    .option("--without <facts>", "facts that may fail or be unknown, separated by commas", parseFacts, [])
    .option("--header <line>", "HTTP header to send, such as Authorization (repeatable)", parseHeader, {})
    .addHelpText("after", examples)
    .action(
      action(async ({ connect, terminal }, service, { onDrift, onNewVersion, without, header }) => {
        if (terminal.json) throw new UsageError("connect doesn't support --json, because its output is MCP.");
        const { serveStdio, StdioServerTransport } = await import("@modelcontextprotocol/server/stdio");
        const connection = await connect();
        const { serve, close } = await createGuard({
          did: service.did,
          onDrift,
          onNewVersion,
          read: () => readVerifiedEndpoint(connection, service, without),
          open: (url, onListChanged) =>
            createUpstream(url, { headers: header, allowLoopback: connection.local, onListChanged }),
          note: terminal.note,
          now: () => performance.now(),
        });
        const transport = new StdioServerTransport();
        const served = serveStdio(serve, { transport });
        const { onclose } = transport;
        await new Promise<void>((resolve) => {
          transport.onclose = () => {
            onclose?.();
            resolve();
          };
          for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
          terminal.note(`Connected to ${service.did}.`);
        });
        await served.close();
        await Promise.race([close(), sleep(1_000, undefined, { ref: false })]);
        return { json: {}, lines: [] };
      }),
    );
}

function parseFacts(text: string): FactName[] {
  return text.split(",").map((name) => {
    const fact = factNames.find((one) => one === name.trim());
    if (fact) return fact;
    throw new UsageError(`"${name}" is not a fact.`, `Use one or more of ${factNames.join(", ")}.`);
  });
}

/** Parses `Name: value` and replaces `${VARIABLE}` by environment variables. @throws {UsageError} for another form. */
function parseHeader(line: string, before: Record<string, string>): Record<string, string> {
  const [, name, given = ""] = /^([\w-]+):\s*(.*)$/.exec(line) ?? [];
  if (name === undefined) throw new UsageError("--header must have the form Name: value.");
  const value = given.replace(/\$\{(\w+)\}/g, (_, variable: string) => {
    const found = process.env[variable];
    if (found === undefined) throw new UsageError(`--header uses ${variable}, which is not set.`);
    return found;
  });
  return { ...before, [name.toLowerCase()]: value };
}
