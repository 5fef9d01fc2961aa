import {
  AbiMismatchError,
  AppRegistryError,
  ContractRevertError,
  ControlNotAttestedError,
  InvalidDeploymentError,
  InvalidDidError,
  InvalidSearchError,
  InvalidSubjectError,
  InvalidTraitError,
  InvalidVersionError,
  WrongChainError,
} from "@app-registry/sdk";

/** Exit codes of the command, for scripts. */
export const ExitCode = {
  /** The command succeeded, and every fact passes. */
  ok: 0,
  /** A fact fails, a document has problems, or the registry rejects the request. */
  failed: 1,
  /** The arguments, the configuration or the key are invalid. Nothing was contacted. */
  usage: 2,
  /** A host or the chain did not respond, so the result is unknown. Try again. */
  unknown: 3,
} as const;

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/** Error for invalid arguments, an invalid configuration or an invalid key. */
export class UsageError extends AppRegistryError {
  override readonly name = "UsageError";

  constructor(message: string, action?: string) {
    super(message, { action, docsPath: "/cli" });
  }
}

const inputErrors = [
  UsageError,
  InvalidDidError,
  InvalidVersionError,
  InvalidTraitError,
  InvalidSearchError,
  InvalidSubjectError,
  AbiMismatchError,
  InvalidDeploymentError,
  WrongChainError,
];

/** Returns the exit code for an error. */
export function toExitCode(error: AppRegistryError): ExitCode {
  if (inputErrors.some((type) => error instanceof type)) return ExitCode.usage;
  // A revert is a definite result, even if a later call may succeed.
  if (error instanceof ContractRevertError) return ExitCode.failed;
  // So is an attestation that has not matured yet.
  if (error instanceof ControlNotAttestedError && error.answer.status === "waiting") return ExitCode.failed;
  return error.retryable ? ExitCode.unknown : ExitCode.failed;
}
