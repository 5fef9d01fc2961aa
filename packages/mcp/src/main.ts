import { toAppRegistryError, visibleText } from "@app-registry/sdk";
import { Command, CommanderError } from "@commander-js/extra-typings";
import { defineConnect, runGuard, runRegistryServer } from "./connectCommand.ts";
import { addRegistryOptions, connect, ExitCode, toExitCode } from "./connection.ts";

/**
 * `app-registry-mcp connect <did>` guards an MCP connection on standard input and output. `app-registry-mcp serve`
 * serves the registry's own tools there.
 */
const note = (line: string) => void process.stderr.write(`${visibleText(line)}\n`);

const root = addRegistryOptions(new Command("app-registry-mcp"))
  .description("Connect an MCP client to App Registry, or to an MCP server that is registered in it.")
  .exitOverride();
defineConnect(root.command("connect")).action(async (service, options) => {
  await runGuard(await connect(root.opts()), service, options, note);
});
root
  .command("serve")
  .description("serve tools that search the registry, verify services and say how to connect to them")
  .action(async () => runRegistryServer(await connect(root.opts()), note));

async function run(): Promise<ExitCode> {
  try {
    await root.parseAsync();
    return ExitCode.ok;
  } catch (thrown) {
    // Commander has written its own errors and help.
    if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? ExitCode.ok : ExitCode.usage;
    const error = toAppRegistryError(thrown);
    note(`error  ${error.shortMessage}`);
    if (error.action) note(`       ${error.action}`);
    return toExitCode(error);
  }
}

// An open connection must not keep the process running.
process.exit(await run());
