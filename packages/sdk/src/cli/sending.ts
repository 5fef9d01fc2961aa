import { type Abi, type Address, encodeFunctionData, formatEther, type Hash, isAddress } from "viem";
import { estimateContractGas, getGasPrice } from "viem/actions";
import type { PreparedCall } from "../client/context.ts";
import { explainNotRegistered } from "../client/notRegistered.ts";
import { sendCall } from "../client/sendCall.ts";
import { findShortfall } from "../client/shortfall.ts";
import { toAppRegistryError } from "../errors/toAppRegistryError.ts";
import { describeTransaction } from "../publish/describeTransaction.ts";
import { messageSigner, type SignMessage } from "../publish/proveWallet.ts";
import { readAccount } from "./account.ts";
import { type Connection, inTime } from "./connection.ts";
import { UsageError } from "./exitCodes.ts";
import { confirmSending } from "./prompts.ts";
import { type Outcome, type Terminal, table } from "./terminal.ts";

/** The options of a command that sends. */
export type SigningOptions = {
  keystore?: string | undefined;
  dryRun?: boolean | undefined;
  from?: string | undefined;
  yes?: boolean | undefined;
};

/** Who sends: `send` is undefined for an account whose key is not there, which only a dry run takes. */
export type Sender = {
  address: Address;
  dryRun: boolean;
  terminal: Terminal;
  yes: boolean;
  /** Sends without waiting. */
  send: (call: PreparedCall) => Promise<Hash>;
  /** Shows a web service that its holder asks. */
  signMessage?: SignMessage | undefined;
};

/** Reads the key, or the account of a dry run. @throws {UsageError} */
export async function openSender(
  connection: Connection,
  options: SigningOptions,
  terminal: Terminal,
): Promise<Sender> {
  const { dryRun = false, from, yes = false } = options;
  if (from !== undefined) {
    if (!dryRun) throw new UsageError("--from is for a dry run.", "Add --dry-run, or leave --from out.");
    return { address: address(from, "--from"), dryRun, terminal, yes, send: neverSent };
  }
  const account = await readAccount(options.keystore, terminal);
  const client = connection.signer(account);
  return {
    address: account.address,
    dryRun,
    terminal,
    yes,
    send: (call) => sendCall(client, call),
    signMessage: messageSigner(() => client, account.address),
  };
}

const neverSent = () => Promise.reject(new UsageError("A dry run sends nothing."));

/** An address as it was typed. @throws {UsageError} naming the place. */
export function address(text: string, place: string): Address {
  if (isAddress(text, { strict: false })) return text;
  throw new UsageError(`${place} is no address.`, "Write 0x and 40 hexadecimal digits.");
}

/** What a call would do and cost. */
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

/** Simulates a call. @throws {ContractRevertError} with the contract's reason when it would refuse. */
async function previewCall(connection: Connection, call: PreparedCall, from: Address): Promise<Preview> {
  const words = describeCall(connection, call);
  try {
    const [gas, gasPrice] = await inTime(connection, () =>
      Promise.all([
        estimateContractGas(connection.client.publicClient, { ...call, account: from }),
        getGasPrice(connection.client.publicClient),
      ]),
    );
    return { ...words, from, gas, gasPrice };
  } catch (error) {
    throw await explainNotRegistered(connection.client, call.args, toAppRegistryError(error));
  }
}

/** @throws {InsufficientFundsError} saying how much is missing. */
async function requireFunds(
  connection: Connection,
  call: PreparedCall,
  { from, gas }: Preview,
): Promise<void> {
  const shortfall = await inTime(connection, () => findShortfall(connection, call, from, { gas })).catch(
    (error) => {
      throw toAppRegistryError(error);
    },
  );
  if (shortfall) throw shortfall;
}

/** A call in words, with its arguments by name. */
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

/** A preview for people; long arguments are cut. */
export function previewLines({ sentence, details, gas, gasPrice, ...preview }: Preview): string[] {
  const cost = [
    ["gas", gas.toLocaleString("en")],
    ["fee", `about ${formatEther(gas * gasPrice)} of the chain's currency`],
  ] as const;
  return [sentence, ...details, "", ...callLines(preview, cost)];
}

/** Who calls what with which arguments, and what more there is to say in the same columns. */
export function callLines(
  call: Pick<Preview, "contract" | "functionName" | "args" | "from">,
  more: readonly (readonly [string, string])[] = [],
): string[] {
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

/** What a mined transaction says of itself. */
export type Sent = { transactionHash: Hash; blockNumber: bigint; gasUsed: bigint };

/**
 * Previews a call, asks a person, sends it and waits until it is mined. A dry run ends with the preview.
 *
 * @throws {ContractRevertError} or {@link InsufficientFundsError} before anything is sent,
 * {@link TransactionRevertedError}, {@link ReceiptTimeoutError}.
 */
export async function sendOrPreview(
  connection: Connection,
  sender: Sender,
  call: PreparedCall,
): Promise<{ preview: Preview; sent?: Sent }> {
  const preview = await previewCall(connection, call, sender.address);
  if (sender.dryRun) return { preview };
  await requireFunds(connection, call, preview);
  if (!sender.yes) await confirmSending(sender.terminal, previewLines(preview));
  const hash = await sender.send(call);
  sender.terminal.note(`Sent ${hash}; waiting for its block`);
  const { transactionHash, blockNumber, gasUsed } = await connection.client.waitForReceipt({ hash });
  return { preview, sent: { transactionHash, blockNumber, gasUsed } };
}

/** The outcome of a command that is one call. */
export async function callOutcome(
  connection: Connection,
  sender: Sender,
  call: PreparedCall,
  json: Record<string, unknown> = {},
): Promise<Outcome> {
  const { preview, sent } = await sendOrPreview(connection, sender, call);
  if (!sent) return { json: { status: "dry-run", ...json, call: preview }, lines: previewLines(preview) };
  return {
    json: { status: "done", ...json, ...sent },
    lines: [preview.sentence, ...sentLines(sent)],
  };
}

export const sentLines = ({ transactionHash, blockNumber, gasUsed }: Sent): string[] =>
  table([
    ["transaction", transactionHash],
    ["block", blockNumber],
    ["gas used", gasUsed.toLocaleString("en")],
  ]);
