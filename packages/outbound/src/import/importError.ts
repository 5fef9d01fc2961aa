import { AppRegistryError } from "@app-registry/sdk";

export type ImportErrorCode =
  | "mcp-unreadable"
  | "mcp-revision-unknown"
  | "openapi-invalid"
  | "foreign-document";

/** Error for a URL that responds, but not as an MCP server or not with a document that can be read. */
export class ImportError extends AppRegistryError {
  override readonly name = "ImportError";
  readonly code: ImportErrorCode;
  /** HTTP status, if the server rejected the request. */
  readonly status: number | undefined;
  /** True if the server responded with MCP before it failed. */
  readonly speaks: boolean;
  /** `WWW-Authenticate` header of the rejection, or an empty string. */
  readonly challenge: string;
  /** URL to which the server redirected the request, without the method that an MCP client needs. */
  readonly movedTo: URL | undefined;

  constructor(
    code: ImportErrorCode,
    message: string,
    options: { cause?: unknown; status?: number; speaks?: boolean; challenge?: string; movedTo?: URL } = {},
  ) {
    const { cause, status, speaks = false, challenge = "" } = options;
    super(message, {
      action: "Check the address and that the service is running, or write the metadata yourself.",
      docsPath: "/metadata",
      cause,
    });
    this.code = code;
    this.status = status;
    this.speaks = speaks;
    this.challenge = challenge;
    this.movedTo = options.movedTo;
  }

  /** True if the server requires credentials (401 or 403). */
  get needsAccess(): boolean {
    return this.status === 401 || this.status === 403;
  }
}
