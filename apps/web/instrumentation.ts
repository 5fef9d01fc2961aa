/** Runs once when the server starts, before the first request, so that a wrong configuration never serves. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { start } = await import("./lib/server/start.ts");
  await start();
}
