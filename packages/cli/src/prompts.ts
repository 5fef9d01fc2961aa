import { UsageError } from "@app-registry/mcp";
import { type AppStatus, appStatusLabels } from "@app-registry/sdk";
import { formatLine, type Line, type Terminal } from "./terminal.ts";

/** Asks for a keystore's passphrase without displaying it. @throws {UsageError} without a terminal. */
export async function askPassphrase(file: string, { interactive }: Terminal): Promise<string> {
  if (!interactive) {
    throw new UsageError(`The keystore ${file} requires a passphrase.`, "Set KEYSTORE_PASSPHRASE.");
  }
  const { password, isCancel } = await import("@clack/prompts");
  const answer = await password({ message: `Passphrase of ${file}`, output: process.stderr });
  if (isCancel(answer)) throw new UsageError("No passphrase entered.");
  return answer;
}

/** Asks the user to confirm a transaction. Does not ask without a terminal. */
export async function confirmSending(
  { interactive, json }: Terminal,
  lines: readonly Line[],
  message = "Send this transaction?",
): Promise<void> {
  if (!interactive || json) return;
  const { confirm, isCancel, note } = await import("@clack/prompts");
  const { stderr: output } = process;
  note(lines.map((line) => formatLine(line, output)).join("\n"), "Transaction", { output });
  const answer = await confirm({ message, output: process.stderr });
  if (isCancel(answer) || !answer) throw new UsageError("Nothing was sent.");
}

/** Asks the user whether to reactivate the record. Without a terminal, the answer is no. */
export async function confirmReactivation(
  { terminal: { interactive, json }, yes }: { terminal: Terminal; yes: boolean },
  status: AppStatus,
): Promise<boolean> {
  if (!interactive || json || yes) return false;
  const { confirm, isCancel } = await import("@clack/prompts");
  const message = `The record is ${appStatusLabels[status]}, so it's hidden from search by default. Set it to Active after publishing?`;
  const answer = await confirm({ message, output: process.stderr });
  if (isCancel(answer)) throw new UsageError("Nothing was sent.");
  return answer;
}
