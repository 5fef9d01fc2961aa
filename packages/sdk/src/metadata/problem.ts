/** Problem that prevents publishing a metadata JSON. */
export interface Problem {
  /** JSON Pointer (RFC 6901) of the value, or of the place of a missing value; empty for the document. */
  pointer: string;
  /** Stable name of the rule. */
  code: string;
  /** One or two sentences for the publisher. */
  message: string;
}
