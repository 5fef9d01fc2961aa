import { UsageError } from "./exitCodes.ts";

const secretOption =
  /^--?(?:private-?key|secret(?:-?key)?|key|pk|mnemonic|seed|pass(?:word|phrase)?)(?:=|$)/i;

/**
 * Refuses a key, a mnemonic or a passphrase in the arguments: other users of the machine can read them there, and
 * the shell keeps them. What was given is not repeated.
 *
 * @throws {UsageError}
 */
export function refuseSecretArguments(args: readonly string[]): void {
  const given = args.find((argument) => secretOption.test(argument));
  if (given === undefined) return;
  throw new UsageError(
    `${given.split("=", 1)[0]} is not taken from the arguments, where others can read it.`,
    "Put the key into the environment variable PRIVATE_KEY, or name a keystore file with --keystore.",
  );
}
