/** What an {@link AppRegistryError} says in addition to its short message. */
export type AppRegistryErrorOptions = {
  /** What the reader can do about it, as a full sentence. */
  action?: string | undefined;
  /** Path below the documentation's root, such as `/sdk#errors`. */
  docsPath?: string | undefined;
  /** True when the same call may succeed later without a change. */
  retryable?: boolean | undefined;
  cause?: unknown;
};

/**
 * Base of every error that this package throws. `message` holds the short message and the action; show `shortMessage`
 * and `action` to people.
 */
export class AppRegistryError extends Error {
  override readonly name: string = "AppRegistryError";
  /** One sentence: what went wrong. */
  readonly shortMessage: string;
  /** One sentence: what to do. */
  readonly action: string | undefined;
  readonly docsPath: string | undefined;
  /** True when the same call may succeed later without a change. */
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
