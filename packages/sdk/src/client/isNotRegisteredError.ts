import type { ContractRevertError } from "../errors/contractRevertError.ts";
import { isAppNotFound } from "./notRegistered.ts";
import { VersionNotFoundError } from "./reads/getVersionRecord.ts";

/** Returns true if the error says that the registry has no such record or version. */
export const isNotRegisteredError = (error: unknown): error is ContractRevertError | VersionNotFoundError =>
  error instanceof VersionNotFoundError || isAppNotFound(error);

/** Awaits a read. Returns `undefined` if the registry has no such record or version. */
export async function undefinedIfNotRegistered<Result>(read: Promise<Result>): Promise<Result | undefined> {
  try {
    return await read;
  } catch (error) {
    if (isNotRegisteredError(error)) return undefined;
    throw error;
  }
}
