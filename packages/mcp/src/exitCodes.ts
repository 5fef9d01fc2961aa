import {
  AbiMismatchError,
  AppRegistryError,
  ContractRevertError,
  ControlNotAttestedError,
  InvalidDeploymentError,
  InvalidDidError,
  InvalidSearchError,
  InvalidTraitError,
  InvalidVersionError,
  WrongChainError,
} from "@app-registry/sdk";

/** How the command ends, for scripts. */
export const ExitCode = {
  /** Done; every fact passes. */
  ok: 0,
  /** A fact fails, a document has problems, or the registry refuses. */
  failed: 1,
  /** The arguments, the configuration or the key can't be used; nothing was contacted. */
  usage: 2,
  /** Something didn't answer, so nothing is known: try again. */
  unknown: 3,
} as const;

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/** The arguments, the configuration or the key can't be used. */
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
  AbiMismatchError,
  InvalidDeploymentError,
  WrongChainError,
];

/** The exit code for an error. */
export function toExitCode(error: AppRegistryError): ExitCode {
  if (inputErrors.some((type) => error instanceof type)) return ExitCode.usage;
  // A contract that refuses for now did answer.
  if (error instanceof ContractRevertError) return ExitCode.failed;
  // So did an issuer whose attestation has yet to mature.
  if (error instanceof ControlNotAttestedError && error.answer.status === "waiting") return ExitCode.failed;
  return error.retryable ? ExitCode.unknown : ExitCode.failed;
}
