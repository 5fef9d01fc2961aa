import { spawn } from "node:child_process";

/**
 * Runs `killOnParentExit.ts <command> [argument …]` in its own process group, and ends the whole group when standard
 * input closes, so that no process outlives its starter, even if that is killed.
 */
const [command = "", ...parameters] = process.argv.slice(2);

/** Time for the group to end before it is killed, in milliseconds. */
const GRACE = 1_000;

let isOrphan = false;
// Ignore signals to the group, which are for the command.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);
process.stdin.resume().on("close", () => {
  isOrphan = true;
  process.kill(-process.pid, "SIGTERM");
  setTimeout(() => process.kill(-process.pid, "SIGKILL"), GRACE);
});

const child = spawn(command, parameters, { stdio: ["ignore", "inherit", "inherit"] });
child.on("error", (error) => {
  console.error(error.message);
  process.exit(127);
});
// If the command is a shell that ends before its children, stay alive to kill them.
child.on("exit", (code) => isOrphan || process.exit(code ?? 1));
