/** Something that keeps a metadata JSON from being published. */
export interface Problem {
  /** JSON Pointer (RFC 6901) of the value, or of where the missing one belongs; empty for the document. */
  pointer: string;
  /** Stable name of the rule. */
  code: string;
  /** One or two sentences for the publisher. */
  message: string;
}
