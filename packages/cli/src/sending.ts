import { type Connection, UsageError, withTimeout } from "@app-registry/mcp";
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
import { type Abi, type Address, encodeFunctionData, formatEther, type Hash } from "viem";
import { readAccount } from "./account.ts";
import { confirmSending, type Line, type Outcome, type Terminal, table } from "./terminal.ts";

/** Options of a command that sends a transaction. */
export type SigningOptions = {
  keystore?: string | undefined;
  dryRun?: boolean | undefined;
  from?: Address | undefined;
  yes?: boolean | undefined;
};

/** Account that sends. */
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

/** Effect and cost of a call. */
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

/** Mined transaction. */
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
