import { defineConnect, runGuard, UsageError } from "@app-registry/mcp";
import type { Program } from "../program.ts";

/** Adds `connect`, which is `app-registry-mcp connect`. */
export function addConnect({ root, action }: Program): void {
  defineConnect(root.command("connect")).action(
    action(async ({ connect, terminal }, service, options) => {
      if (terminal.json) throw new UsageError("connect doesn't support --json, because its output is MCP.");
      await runGuard(await connect(), service, options, terminal.note);
      return { json: {}, lines: [] };
    }),
  );
}
