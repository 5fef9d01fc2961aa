import { AppRegistryError } from "@app-registry/sdk";
import { HardhatError } from "@nomicfoundation/hardhat-errors";
import { ZodError } from "zod";

/** Runs a script. A failure becomes one sentence on stderr, without a stack trace, and exit code 1. */
export async function runScript(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    console.error(oneSentence(error));
    // Exit, because a pending request would keep the process alive.
    process.exit(1);
  }
}

/** Returns an error's text for an operator, on one line. */
export const oneSentence = (error: unknown): string => toText(error).replaceAll(/\s+/g, " ").trim();

function toText(error: unknown): string {
  if (HardhatError.isHardhatError(error)) return error.formattedMessage;
  if (error instanceof AppRegistryError) return [error.shortMessage, error.action ?? ""].join(" ");
  if (!(error instanceof ZodError)) return error instanceof Error ? error.message : String(error);
  return error.issues
    .map(({ path: [name], message }) => (name ? `${String(name)}: ${message}` : message))
    .join("; ");
}
