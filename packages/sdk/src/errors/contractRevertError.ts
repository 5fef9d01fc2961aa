import { type Abi, decodeErrorResult, type Hex, toFunctionSelector } from "viem";
import { appMetadataAbi, appRegistryAbi, resolverAbi } from "../abi/index.ts";
import { isoTime } from "../isoTime.ts";
import { type AppStatus, appStatusLabels } from "../recordEnums.ts";
import { AppRegistryError, withoutKey } from "./appRegistryError.ts";
import { type ContractErrorText, contractErrorTexts } from "./contractErrorTexts.ts";

/** ABI entry of a custom error. */
export type AbiError = Extract<Abi[number], { type: "error" }>;

const isError = (entry: Abi[number]): entry is AbiError => entry.type === "error";

/** Returns the signature of an error, from which its selector is computed: its name and argument types. */
const formatErrorSignature = ({ name, inputs }: AbiError) =>
  `${name}(${inputs.map(({ type }) => type).join(",")})`;

const all: readonly Abi[number][] = [...appRegistryAbi, ...appMetadataAbi, ...resolverAbi];

/**
 * Custom errors of the three contracts, each once. A call of one contract can revert with an error of another (`mint`
 * with the metadata store's `MetadataTooLarge`), so errors are decoded against all of them.
 */
export const contractErrorsAbi: readonly AbiError[] = [
  ...new Map(
    all.filter(isError).map((entry) => [toFunctionSelector(formatErrorSignature(entry)), entry]),
  ).values(),
];

/**
 * Thrown when the contracts refused a call. `errorName` and `args` are the decoded custom error. `words` replace its
 * message if more is known.
 */
export class ContractRevertError extends AppRegistryError {
  override readonly name = "ContractRevertError";
  /** Name of the custom error, such as `NotController`; `Error` or `Panic` for Solidity's own errors. */
  readonly errorName: string;
  /** Arguments of the error, by name. */
  readonly args: Readonly<Record<string, unknown>>;

  constructor(
    errorName: string,
    args: Readonly<Record<string, unknown>>,
    options: { cause?: unknown; words?: { sentence: string; action: string } } = {},
  ) {
    const { cause, words } = options;
    const [sentence, action, retryable] = (contractErrorTexts[errorName] ?? []) as Partial<ContractErrorText>;
    const format = (text: string | undefined) => text && formatContractError(text, args);
    super(words?.sentence ?? format(sentence) ?? revertSentence(errorName, args), {
      action: words?.action ?? format(action),
      docsPath: "/sdk#errors",
      retryable,
      cause,
    });
    this.errorName = errorName;
    this.args = args;
  }
}

const revertSentence = (errorName: string, args: Readonly<Record<string, unknown>>) =>
  `The contract rejected the call: ${errorName}(${Object.values(args).map(String).join(", ")}).`;

/**
 * Decodes the data with which a call of one of the three contracts reverted.
 *
 * @returns The error, or `undefined` if the data is empty or its error unknown.
 * @example
 * const error = decodeContractRevert(revertData);
 * error?.errorName; // "AppNotFound"
 */
export function decodeContractRevert(
  data: Hex,
  options: { cause?: unknown } = {},
): ContractRevertError | undefined {
  if (data === "0x") return undefined;
  try {
    const { abiItem, args, errorName } = decodeErrorResult({ abi: contractErrorsAbi, data });
    const inputs = abiItem.type === "error" ? abiItem.inputs : [];
    // Redact strings, which a caller may have confused with a private key. Hashes have the type bytes32.
    const shown = (type: string, value: unknown) => (type === "string" ? withoutKey(String(value)) : value);
    const named = inputs.map(
      ({ name, type }, index) => [name ?? String(index), shown(type, args?.[index])] as const,
    );
    return new ContractRevertError(errorName, Object.fromEntries(named), options);
  } catch {
    return undefined;
  }
}

const formats: Record<string, (value: unknown) => string> = {
  time: (value) => isoTime(Number(value)),
  status: (value) => appStatusLabels[Number(value) as AppStatus] ?? String(value),
};

/** Replaces `{name}` and `{name:format}` in a message by the error's arguments. */
function formatContractError(text: string, args: Readonly<Record<string, unknown>>): string {
  return text.replace(/\{(\w+)(?::(\w+))?\}/g, (_, name: string, format: string | undefined) =>
    (formats[format ?? ""] ?? String)(args[name]),
  );
}
