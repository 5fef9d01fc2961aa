/** How one custom error of the contracts reads. */
export type ContractErrorText = {
  /** A sentence; `{name}` stands for the error's argument, `{name:format}` for a formatted one. */
  sentence: string;
  /** What to do about it, with the same placeholders. */
  action: string;
  /** True when the same transaction succeeds later, once time has passed. */
  retryable?: boolean;
};
