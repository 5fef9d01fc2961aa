import { readTextFile, UsageError } from "@app-registry/mcp";
import { isPrivateKey, withoutKey } from "@app-registry/sdk/internal";
import { isHex, type LocalAccount } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import * as z from "zod";
import { askPassphrase, type Terminal } from "./terminal.ts";

/** Maximum size of a keystore, in bytes. */
const MAX_KEYSTORE_SIZE = 65_536;

/** Schema of version 3 of the Web3 Secret Storage Definition. */
const keystoreSchema = z.looseObject({
  version: z.literal(3),
  crypto: z.looseObject({
    cipher: z.literal("aes-128-ctr"),
    ciphertext: z.string(),
    cipherparams: z.object({ iv: z.string() }),
    kdf: z.enum(["scrypt", "pbkdf2"]),
    kdfparams: z.looseObject({ dklen: z.literal(32), salt: z.string() }),
    mac: z.string(),
  }),
});

/**
 * Reads the account that signs: from the environment variable `PRIVATE_KEY`, or from a keystore file with the
 * passphrase in `KEYSTORE_PASSPHRASE` or entered by the user.
 *
 * @throws {UsageError} if there is no key, both are given, or the key is invalid. The message never contains the key.
 */
export async function readAccount(keystore: string | undefined, terminal: Terminal): Promise<LocalAccount> {
  const { PRIVATE_KEY: key, KEYSTORE_PASSPHRASE: passphrase } = process.env;
  if (key && keystore) {
    throw new UsageError("You set both PRIVATE_KEY and a keystore.", "Use only one of them.");
  }
  if (keystore) return decryptKeystore(keystore, passphrase, terminal);
  if (!key) {
    throw new UsageError(
      "This command sends a transaction, but no key is set.",
      "Set PRIVATE_KEY, or pass a keystore file with --keystore (KEYSTORE_FILE).",
    );
  }
  return toLocalAccount(key.startsWith("0x") ? key : `0x${key}`, "PRIVATE_KEY is not a valid private key.");
}

function toLocalAccount(key: string, problem: string): LocalAccount {
  try {
    if (isHex(key) && key.length === 66) return privateKeyToAccount(key);
  } catch {
    // The key is zero or above the curve's order. Fall through to the same error.
  }
  throw new UsageError(problem, "Use 64 hexadecimal digits, with or without a leading 0x.");
}

async function decryptKeystore(
  file: string,
  given: string | undefined,
  terminal: Terminal,
): Promise<LocalAccount> {
  const keystore = await readKeystore(file);
  const password = given ?? (await askPassphrase(file, terminal));
  const Keystore = await import("ox/Keystore");
  let key: string;
  try {
    const stored = keystore as unknown as Parameters<typeof Keystore.decrypt>[0];
    key = Keystore.decrypt(stored, await Keystore.toKeyAsync(stored, { password }));
  } catch {
    throw new UsageError(
      `Couldn't open the keystore ${file}.`,
      "The passphrase is wrong, or the file is damaged.",
    );
  }
  return toLocalAccount(key, `The keystore ${file} doesn't contain a private key.`);
}

async function readKeystore(file: string): Promise<z.output<typeof keystoreSchema>> {
  const name = `the keystore ${withoutKey(file)}`;
  try {
    return keystoreSchema.parse(JSON.parse(await readTextFile(name, file, MAX_KEYSTORE_SIZE)));
  } catch {
    throw new UsageError(
      `Couldn't read ${name}.`,
      "It must be a JSON keystore of version 3 (Web3 Secret Storage).",
    );
  }
}

const secretOption =
  /^--?(?:private-?key|secret(?:-?key)?|key|pk|mnemonic|seed|pass(?:word|phrase)?)(?:=|$)/i;

/** Options whose value is a hash, which has the form of a key. */
const hashOption = /^--data-hash(?:=|$)/;

/**
 * Rejects a key, a mnemonic or a passphrase in the arguments, because other users of the machine can read them and the
 * shell stores them in its history. Rejects any argument with the form of a key, also in the place of a file, a DID or
 * a word, which would be repeated or sent. The message does not repeat it.
 *
 * @throws {UsageError} if an argument is such an option or has the form of a key.
 */
export function refuseSecretArguments(args: readonly string[]): void {
  const isKey = (argument: string, index: number) =>
    !hashOption.test(argument) &&
    !hashOption.test(args[index - 1] ?? "") &&
    isPrivateKey(argument.replace(/^--?[\w-]+=/, ""));
  const given = args.find((argument, index) => secretOption.test(argument) || isKey(argument, index));
  if (given === undefined) return;
  const name = secretOption.test(given) ? given.split("=", 1)[0] : "A private key";
  throw new UsageError(
    `${name} can't be passed as an argument, because other users could see it.`,
    "Set the environment variable PRIVATE_KEY, or pass a keystore file with --keystore.",
  );
}
