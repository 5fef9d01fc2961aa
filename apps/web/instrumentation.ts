/** Runs once when the server starts, before the first request, so that a wrong configuration never serves. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { installRequestNormalizer: prepareRequests } = await import("./lib/server/incomingRequests.ts");
  prepareRequests();
  const { start } = await import("./lib/server/start.ts");
  await start();
  const { environment } = await import("./lib/server/environment.ts");
  const { forceExitAfterGrace: limitShutdown } = await import("./lib/server/forceExitAfterGrace.ts");
  limitShutdown(environment().shutdownGrace);
}
