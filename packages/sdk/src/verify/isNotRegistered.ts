import { VersionNotFoundError } from "../client/reads/getVersionRecord.ts";
import { ContractRevertError } from "../errors/contractRevertError.ts";

/** True when the registry itself said that there is no such record or version. */
export const isNotRegistered = (error: unknown): error is ContractRevertError | VersionNotFoundError =>
  error instanceof VersionNotFoundError ||
  (error instanceof ContractRevertError && error.errorName === "AppNotFound");
