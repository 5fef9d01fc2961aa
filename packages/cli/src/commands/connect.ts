import { setTimeout as sleep } from "node:timers/promises";
import { Option } from "@commander-js/extra-typings";
import { createGuard, versionModes } from "../connect/guard.ts";
import { driftModes } from "../connect/offer.ts";
import { type FactName, factNames, readVerified } from "../connect/registered.ts";
import { createUpstream } from "../connect/upstream.ts";
import { UsageError } from "../exitCodes.ts";
import { parseTarget } from "../inputs.ts";
import type { Program } from "../program.ts";

const examples = `
It speaks MCP on standard input and output, and shows only what the publisher has registered, as long as the server
lists it in the same form. What differs is written to standard error.
A value of --header may name environment variables, as in 'Authorization: Bearer \${TOKEN}'.

Examples:
  $ app-registry connect did:web:example.com --registry https://registry.example.com
  $ app-registry connect did:web:example.com@1.0.0 --header 'Authorization: Bearer \${TOKEN}'`;

/** `connect`: an MCP server on standard input and output, which guards the connection to a registered one. */
export function addConnect({ root, action }: Program): void {
  root
    .command("connect")
    .description("connect an MCP client to a registered server, and withhold what is not registered")
    .argument("<did[@version]>", "DID, and the version to stay with", parseTarget)
    .addOption(
      new Option("--on-drift <mode>", "withhold what is not registered, warn of it, or pass it")
        .choices(driftModes)
        .default("block" as const),
    )
    .addOption(
      new Option("--on-new-version <mode>", "adopt a version that is registered meanwhile, or ask")
        .choices(versionModes)
        .default("adopt" as const),
    )
    .option("--without <facts>", "facts that may fail, with commas", parseFacts, [])
    .option(
      "--header <line>",
      "header for the server, such as Authorization; may be repeated",
      parseHeader,
      {},
    )
    .addHelpText("after", examples)
    .action(
      action(async ({ connect, terminal }, service, { onDrift, onNewVersion, without, header }) => {
        if (terminal.json) throw new UsageError("--json and connect exclude each other: connect speaks MCP.");
        const { StdioServerTransport } = await import("@modelcontextprotocol/server/stdio");
        const connection = await connect();
        const { server, close } = await createGuard({
          did: service.did,
          onDrift,
          onNewVersion,
          read: () => readVerified(connection, service, without),
          open: (url, onListChanged) =>
            createUpstream(url, { headers: header, allowLoopback: connection.local, onListChanged }),
          note: terminal.note,
          now: () => performance.now(),
        });
        const ended = new Promise<void>((resolve) => {
          server.onclose = resolve;
          for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
        });
        await server.connect(new StdioServerTransport());
        terminal.note(`Connected to ${service.did}.`);
        await ended;
        await Promise.race([close(), sleep(1_000, undefined, { ref: false })]);
        return { json: {}, lines: [] };
      }),
    );
}

function parseFacts(text: string): FactName[] {
  return text.split(",").map((name) => {
    const fact = factNames.find((one) => one === name.trim());
    if (fact) return fact;
    throw new UsageError(`"${name}" is no fact.`, `Write one or more of ${factNames.join(", ")}.`);
  });
}

/** Reads `Name: value`, with `${VARIABLE}` of the environment in the value. @throws {UsageError} */
function parseHeader(line: string, before: Record<string, string>): Record<string, string> {
  const [, name, given = ""] = /^([\w-]+):\s*(.*)$/.exec(line) ?? [];
  if (name === undefined) throw new UsageError("--header is not of the form Name: value.");
  const value = given.replace(/\$\{(\w+)\}/g, (_, variable: string) => {
    const found = process.env[variable];
    if (found === undefined) throw new UsageError(`--header names ${variable}, which the environment lacks.`);
    return found;
  });
  return { ...before, [name.toLowerCase()]: value };
}
