import { AppRegistryError } from "@app-registry/sdk";

/** Stable code for what is wrong with an address. */
export type ImportErrorCode = "mcp-unreadable" | "mcp-revision-unknown" | "openapi-invalid";

/** The address answers, but not as an MCP server, or not with an OpenAPI document. */
export class ImportError extends AppRegistryError {
  override readonly name = "ImportError";
  readonly code: ImportErrorCode;
  /** HTTP status of the server's refusal, if it refused. */
  readonly status: number | undefined;
  /** Whether it answered as an MCP server before it failed. */
  readonly speaks: boolean;
  /** The `WWW-Authenticate` header of that refusal; empty without one. */
  readonly challenge: string;

  constructor(
    code: ImportErrorCode,
    message: string,
    options: { cause?: unknown; status?: number; speaks?: boolean; challenge?: string } = {},
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
  }

  /** Whether the server asks for credentials (401 or 403). */
  get needsAccess(): boolean {
    return this.status === 401 || this.status === 403;
  }
}
