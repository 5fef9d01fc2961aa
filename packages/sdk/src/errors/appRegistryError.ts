/** Options of an {@link AppRegistryError}. */
export type AppRegistryErrorOptions = {
  /** Suggested action for the reader, as a full sentence. */
  action?: string | undefined;
  /** Path below `/docs` of any registry, such as `/sdk#errors`. */
  docsPath?: string | undefined;
  /** True if the same call may succeed later. */
  retryable?: boolean | undefined;
  cause?: unknown;
};

/**
 * Base class of every error that this package throws. `message` has the short message and the action. Show
 * `shortMessage` and `action` to people.
 */
export class AppRegistryError extends Error {
  override readonly name: string = "AppRegistryError";
  /** Description of the error, one sentence. */
  readonly shortMessage: string;
  /** Suggested action, one sentence. */
  readonly action: string | undefined;
  readonly docsPath: string | undefined;
  /** True if the same call may succeed later. */
  readonly retryable: boolean;

  constructor(shortMessage: string, options: AppRegistryErrorOptions = {}) {
    const { action, docsPath, retryable = false, cause } = options;
    const lines = [shortMessage, action];
    super(lines.filter(Boolean).join("\n"), cause === undefined ? undefined : { cause });
    this.shortMessage = shortMessage;
    this.action = action;
    this.docsPath = docsPath;
    this.retryable = retryable;
  }
}
