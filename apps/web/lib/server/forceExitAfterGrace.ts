const exitCodes = { SIGTERM: 143, SIGINT: 130 } as const;

/**
 * Ends the process at most `grace` milliseconds after a stop signal. From then on Next accepts no connections, but it
 * waits for every client that is still sending or reading, however slowly.
 */
export function forceExitAfterGrace(grace: number): void {
  for (const [signal, exitCode] of Object.entries(exitCodes)) {
    process.once(signal, () => {
      setTimeout(() => {
        console.warn(JSON.stringify({ level: "warn", event: "stopped before every request was answered" }));
        process.exit(exitCode);
      }, grace).unref();
    });
  }
}
