import type { ContractRevertError } from "../errors/contractRevertError.ts";
import { isAppNotFound } from "./notRegistered.ts";
import { VersionNotFoundError } from "./reads/getVersionRecord.ts";

/** True if the registry said that there is no such record or version. */
export const isNotRegisteredError = (error: unknown): error is ContractRevertError | VersionNotFoundError =>
  error instanceof VersionNotFoundError || isAppNotFound(error);

/** The result of a read; undefined if the registry said that there is no such record or version. */
export async function undefinedIfNotRegistered<Result>(read: Promise<Result>): Promise<Result | undefined> {
  try {
    return await read;
  } catch (error) {
    if (isNotRegisteredError(error)) return undefined;
    throw error;
  }
}
