import {
  BaseError,
  ContractFunctionExecutionError,
  ContractFunctionRevertedError,
  ExecutionRevertedError,
  type Hex,
  isHex,
} from "viem";
import { isPrivateKey } from "../privateKey.ts";
import { AppRegistryError } from "./appRegistryError.ts";
import { ContractRevertError, decodeContractRevert } from "./contractRevertError.ts";
import { collectMessages, redactUrls } from "./redactRpcMessage.ts";
import { viemErrorMappings } from "./viemErrors.ts";

/**
 * Converts an error of viem, a wallet or `fetch` to an {@link AppRegistryError}. The original becomes its `cause`,
 * unless the original repeats what may be a private key. Returns an AppRegistryError unchanged.
 *
 * @example
 * const error = toAppRegistryError(new TypeError("fetch failed"));
 * error.shortMessage; // "fetch failed"
 */
export function toAppRegistryError(error: unknown): AppRegistryError {
  if (error instanceof AppRegistryError) return error;
  if (error instanceof BaseError) {
    const known = fromViem(error);
    if (repeatsKey(error)) delete known.cause;
    return known;
  }
  const message = error instanceof Error ? error.message || error.name : stringifyThrown(error);
  return new AppRegistryError(message, { docsPath: "/sdk#errors", cause: error });
}

/** Returns the text of a thrown value. Objects without a prototype, and those whose `toString` fails, have none. */
function stringifyThrown(thrown: unknown): string {
  try {
    return String(thrown);
  } catch {
    return "A value that is not an error was thrown.";
  }
}

/** Returns true if viem repeats an argument of the call that may be a private key. */
function repeatsKey(error: BaseError): boolean {
  const call = error.walk((cause) => cause instanceof ContractFunctionExecutionError);
  if (!(call instanceof ContractFunctionExecutionError)) return false;
  const { abi, args = [], functionName } = call;
  const item = abi.find((entry) => entry.type === "function" && entry.name === functionName);
  const inputs = item?.type === "function" ? item.inputs : [];
  return inputs.some(({ type }, index) => type === "string" && isPrivateKey(String(args[index])));
}

function fromViem(error: BaseError): AppRegistryError {
  const own = error.walk((cause) => cause instanceof AppRegistryError);
  if (own instanceof AppRegistryError) return own;
  const revert = fromRevert(error);
  if (revert) return revert;
  for (const { types, words, create } of viemErrorMappings) {
    const found = error.walk(
      (cause) =>
        types.some((type) => cause instanceof type) || (words?.test(collectMessages(cause)) ?? false),
    );
    if (found) return create(error, redactUrls(collectMessages(found)) || error.shortMessage);
  }
  return new AppRegistryError(error.shortMessage, { docsPath: "/sdk#errors", cause: error });
}

/** Decodes the contract's own error from the revert data, at any depth of the chain of causes. */
function fromRevert(error: BaseError): AppRegistryError | undefined {
  const reverted = error.walk((inner) => inner instanceof ContractFunctionRevertedError);
  if (reverted instanceof ContractFunctionRevertedError) {
    const decoded = reverted.raw && decodeContractRevert(reverted.raw, { cause: error });
    return (
      decoded ??
      new ContractRevertError("Error", { reason: reverted.reason ?? "no reason" }, { cause: error })
    );
  }
  const data = revertData(error.walk((inner) => revertData(inner) !== undefined));
  const decoded = data && decodeContractRevert(data, { cause: error });
  if (decoded) return decoded;
  if (!error.walk((inner) => inner instanceof ExecutionRevertedError)) return undefined;
  return new ContractRevertError("Error", { reason: "no reason" }, { cause: error });
}

/** Returns the revert data of an error. Nodes put it into `error.data`, some into `error.data.data`. */
function revertData(error: unknown): Hex | undefined {
  const data = (error as { data?: unknown } | null)?.data;
  const nested = typeof data === "object" ? (data as { data?: unknown } | null)?.data : data;
  return isHex(nested) && nested.length >= 10 ? nested : undefined;
}
