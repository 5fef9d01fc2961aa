/** Message of a custom error of the contracts. */
export type ContractErrorText = {
  /** Sentence. `{name}` is replaced by the error's argument, `{name:format}` by a formatted one. */
  sentence: string;
  /** Suggested action, with the same placeholders. */
  action: string;
  /** True if the same transaction succeeds later. */
  retryable?: boolean;
};
