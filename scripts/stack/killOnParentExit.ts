import { spawn } from "node:child_process";

/**
 * Runs `killOnParentExit.ts <command> [argument …]` in its own process group, and ends the whole group as soon as standard input
 * closes, so that nothing outlives the process that started it, not even if that one is killed.
 */
const [command = "", ...parameters] = process.argv.slice(2);

/** Time for the group to end by itself before it is killed, in milliseconds. */
const GRACE = 1_000;

let isOrphan = false;
// The signals of its group are for the command.
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
// The command may be a shell that dies without its own children: then the guard stays and kills them.
child.on("exit", (code) => isOrphan || process.exit(code ?? 1));
