import { AppRegistryError } from "@app-registry/sdk";
import { type Environment, InvalidEnvironmentError } from "./environment.ts";

/** Milliseconds. */
const RETRY_AFTER = 15_000;

/**
 * Starts what a process does. Ends the process with one line when it can't do its work; a chain or a database that does
 * not answer yet is waited for, and the promise settles before.
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

/** Tells the log what is not safe in a configuration. */
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
 * What the log says of an error that nobody foresaw: its name, and where it was thrown. Its message stays out, for it may
 * hold an RPC's URL with its key.
 */
export function describeUnexpectedError(error: unknown): { error: string; trace: string[] } {
  const { message, stack = "" } = error instanceof Error ? error : { message: "" };
  // A message of several lines may have some that look like frames.
  const frames = stack
    .replace(message, "")
    .split("\n")
    .filter((line) => /^\s+at /.test(line));
  return { error: getErrorName(error), trace: frames.slice(0, 8).map((line) => line.trim()) };
}

/** The name of what was thrown. */
export const getErrorName = (error: unknown): string => (error instanceof Error ? error.name : typeof error);
