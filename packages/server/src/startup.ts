import { AppRegistryError } from "@app-registry/sdk";
import { type Environment, InvalidEnvironmentError } from "./environment.ts";

/** Pause before a retry, in milliseconds. */
const RETRY_AFTER = 15_000;

/**
 * Starts the work of a process. Exits with one log line if that is impossible. If the chain or the database is not
 * available yet, resolves and retries in the background.
 */
export async function startOrExit(start: () => Promise<void>): Promise<void> {
  try {
    await start();
  } catch (error) {
    if (error instanceof AppRegistryError && error.retryable) {
      console.warn(JSON.stringify({ level: "warn", event: "issuer waits", reason: error.shortMessage }));
      setTimeout(() => void startOrExit(start), RETRY_AFTER).unref();
      return;
    }
    console.error(JSON.stringify({ level: "error", event: "server not started", ...toLogFields(error) }));
    process.exit(1);
  }
}

export function warn({ warnings }: Pick<Environment, "warnings">): void {
  for (const reason of warnings)
    console.warn(JSON.stringify({ level: "warn", event: "unsafe setting", reason }));
}

function toLogFields(error: unknown): Record<string, unknown> {
  if (error instanceof AppRegistryError) return { reason: error.shortMessage, action: error.action };
  if (error instanceof InvalidEnvironmentError) return { reason: error.message };
  return describeUnexpectedError(error);
}

/**
 * Returns the name and the stack trace of an unexpected error for the log. Omits its message, which may contain an
 * RPC's URL with its key.
 */
export function describeUnexpectedError(error: unknown): { error: string; trace: string[] } {
  const { message, stack = "" } = error instanceof Error ? error : { message: "" };
  // Remove the message first, because its lines may look like stack frames.
  const frames = stack
    .replace(message, "")
    .split("\n")
    .filter((line) => /^\s+at /.test(line));
  return { error: getErrorName(error), trace: frames.slice(0, 8).map((line) => line.trim()) };
}

/** Returns the name of a thrown error, or the type of any other thrown value. */
export const getErrorName = (error: unknown): string => (error instanceof Error ? error.name : typeof error);
