import { spawn } from "node:child_process";

/**
 * Runs `guard.ts <command> [argument …]` and ends its whole process group as soon as standard input closes, so
 * that nothing outlives the stack, not even when the stack itself is killed. The group's leader is this process.
 */
const [command, ...parameters] = process.argv.slice(2);
if (command === undefined) throw new Error("guard.ts needs a command");

const child = spawn(command, parameters, { stdio: ["ignore", "pipe", "pipe"] });
child.stdout.pipe(process.stdout);
child.stderr.pipe(process.stderr);
// When the stack itself was killed nobody reads any more.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
child.on("error", (error) => {
  console.error(error.message);
  process.exit(127);
});

/** Time for the group to end by itself before it is killed. */
const GRACE_MS = 1_000;

let stopping = false;
function stop(): void {
  if (stopping) return;
  stopping = true;
  // The command may be a shell that dies without its own children: the whole group is told.
  process.kill(-process.pid, "SIGTERM");
  setTimeout(() => process.kill(-process.pid, "SIGKILL"), GRACE_MS);
}
process.stdin.on("end", stop).on("error", stop).resume();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop);

child.on("exit", (code) => {
  if (!stopping) process.exitCode = code ?? 1;
});
// Whatever the command has started writes to the same pipes: they close when the last of it is gone.
child.on("close", () => process.exit());
