import { type Connection, readTextFile, UsageError, withTimeout } from "@app-registry/mcp";
import {
  type AppRegistryClient,
  createCallOperation,
  describeTransaction,
  estimateCall,
  type Operation,
  type OperationContext,
  type PreparedCall,
  runOperation,
} from "@app-registry/sdk";
import { isPrivateKey, withoutKey } from "@app-registry/sdk/internal";
import {
  type Abi,
  type Address,
  encodeFunctionData,
  formatEther,
  type Hash,
  isHex,
  type LocalAccount,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";
import * as z from "zod";
import { askPassphrase, confirmSending, type Line, type Outcome, type Terminal, table } from "./terminal.ts";

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
async function readAccount(keystore: string | undefined, terminal: Terminal): Promise<LocalAccount> {
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

export type SigningOptions = {
  keystore?: string | undefined;
  dryRun?: boolean | undefined;
  from?: Address | undefined;
  yes?: boolean | undefined;
};

export type Sender = {
  address: Address;
  dryRun: boolean;
  terminal: Terminal;
  yes: boolean;
  /** Returns the signing client. @throws {UsageError} for an address without a key, which only a dry run accepts. */
  openSigner: () => Promise<AppRegistryClient>;
};

/** Reads the key, or the address of a dry run. @throws {UsageError} if neither is valid. */
export async function openSender(
  connection: Connection,
  options: SigningOptions,
  terminal: Terminal,
): Promise<Sender> {
  const { dryRun = false, from, yes = false } = options;
  if (from !== undefined) {
    if (!dryRun)
      throw new UsageError("--from can only be used with --dry-run.", "Add --dry-run, or remove --from.");
    return { address: from, dryRun, terminal, yes, openSigner: rejectSigner };
  }
  const account = await readAccount(options.keystore, terminal);
  const client = connection.signer(account);
  return { address: account.address, dryRun, terminal, yes, openSigner: async () => client };
}

const rejectSigner = () => Promise.reject(new UsageError("A dry run sends nothing."));

export type Preview = {
  sentence: string;
  details: string[];
  contract: Address;
  functionName: string;
  args: Record<string, unknown>;
  from: Address;
  gas: bigint;
  gasPrice: bigint;
};

/** Simulates a call. @throws {ContractRevertError} with the contract's reason if it would revert. */
export async function previewCall(
  connection: Connection,
  call: PreparedCall,
  from: Address,
): Promise<Preview> {
  const cost = await withTimeout(connection, () => estimateCall(connection.client, call, from));
  return { ...describeCall(connection, call), from, ...cost };
}

/** Describes a call in a sentence, with its arguments by name. */
export function describeCall({ deployment }: Connection, { address: contract, ...call }: PreparedCall) {
  const described = describeTransaction({ to: contract, data: encodeFunctionData(call) }, deployment);
  const { sentence = `Call ${call.functionName}.`, details = [] } = described ?? {};
  return { sentence, details, contract, functionName: call.functionName, args: namedArguments(call) };
}

function namedArguments({ abi, functionName, args }: Omit<PreparedCall, "address">): Record<string, unknown> {
  const item = (abi as Abi).find((entry) => entry.type === "function" && entry.name === functionName);
  const inputs = item?.type === "function" ? item.inputs : [];
  return Object.fromEntries(args.map((value, index) => [inputs[index]?.name || String(index), value]));
}

/** Formats a preview as lines. Truncates long arguments. */
export function previewLines({ sentence, details, gas, gasPrice, ...preview }: Preview): Line[] {
  const cost = [
    ["gas", gas.toLocaleString("en")],
    ["fee", `about ${formatEther(gas * gasPrice)} of the chain's currency`],
  ] as const;
  return [sentence, ...details, "", ...callLines(preview, cost)];
}

/** Formats contract, function, arguments and sender of a call, with further rows in the same columns. */
export function callLines(
  call: Pick<Preview, "contract" | "functionName" | "args" | "from">,
  more: readonly (readonly [string, string])[] = [],
): Line[] {
  const args = Object.entries(call.args).map(([name, value]) => [`  ${name}`, shown(value)] as const);
  return table([
    ["from", call.from],
    ["to", call.contract],
    ["function", call.functionName],
    ...args,
    ...more,
  ]);
}

function shown(value: unknown): string {
  const text = typeof value === "string" ? value : Array.isArray(value) ? value.join(", ") : String(value);
  return text.length > 100
    ? `${text.slice(0, 90)}… (${text.length.toLocaleString("en")} characters)`
    : text || "(empty)";
}

export type MinedCall = { transactionHash: Hash; blockNumber: string; gasUsed: string };

/** Runs an operation: shows each transaction, asks for confirmation and reports the progress. */
export async function runWithConfirmation(
  connection: Connection,
  { terminal, openSigner, yes, address: from }: Sender,
  operation: Operation,
): Promise<{ operation: Operation; failure?: unknown }> {
  let latest = operation;
  const host: OperationContext = {
    client: connection.client,
    baseUrl: connection.appUrl,
    openSigner,
    confirm: async (call, cost) => {
      const preview = { ...describeCall(connection, call), from, ...cost };
      if (!yes) await confirmSending(terminal, previewLines(preview));
    },
    onEvent: (event, next) => {
      latest = next;
      const isNews = event.type === "stage" && (event.state === "working" || event.stage === "plan");
      if (isNews) terminal.note(event.note);
    },
  };
  return runOperation(operation, host).then(
    (done) => ({ operation: done }),
    (failure) => ({ operation: latest, failure }),
  );
}

/** Returns an operation's mined transaction, or `undefined` before it is mined. */
export const toMinedCall = ({ transactionHash, mined }: Operation): MinedCall | undefined =>
  transactionHash && mined && { transactionHash, ...mined };

/**
 * Runs a command that makes one call, and returns its outcome. A dry run ends with the preview.
 *
 * @throws {ContractRevertError} or {@link InsufficientFundsError} before a transaction is sent.
 * @throws {TransactionRevertedError} or {@link ReceiptTimeoutError} after it is sent.
 */
export async function runCallCommand(
  connection: Connection,
  sender: Sender,
  call: PreparedCall,
  json: { did: string } & Record<string, unknown>,
): Promise<Outcome> {
  if (sender.dryRun) {
    const preview = await previewCall(connection, call, sender.address);
    return { json: { status: "dry-run", ...json, call: preview }, lines: previewLines(preview) };
  }
  const change = createCallOperation({ did: json.did, call, account: sender.address });
  const { operation, failure } = await runWithConfirmation(connection, sender, change);
  const sent = toMinedCall(operation);
  if (!sent) throw failure;
  return {
    json: { status: "done", ...json, ...sent },
    lines: [describeCall(connection, call).sentence, ...sentLines(sent)],
  };
}

/** Runs a command that makes calls one after another. If there are several, the outcome lists each. */
export async function runCallCommands(
  connection: Connection,
  sender: Sender,
  calls: readonly PreparedCall[],
  json: { did: string } & Record<string, unknown>,
): Promise<Outcome> {
  const outcomes: Outcome[] = [];
  for (const call of calls) outcomes.push(await runCallCommand(connection, sender, call, json));
  const [first] = outcomes;
  if (first && outcomes.length === 1) return first;
  const transactions = outcomes.map(({ json: { call, transactionHash, blockNumber, gasUsed } }) =>
    sender.dryRun ? call : { transactionHash, blockNumber, gasUsed },
  );
  const { status } = first?.json ?? {};
  return { json: { status, ...json, transactions }, lines: outcomes.flatMap(({ lines }) => [...lines, ""]) };
}

export const sentLines = ({ transactionHash, blockNumber, gasUsed }: MinedCall): Line[] =>
  table([
    ["transaction", transactionHash],
    ["block", blockNumber],
    ["gas used", Number(gasUsed).toLocaleString("en")],
  ]);
