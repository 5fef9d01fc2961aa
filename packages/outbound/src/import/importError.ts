import { AppRegistryError } from "@app-registry/sdk";

/** Stable code for what is wrong with an address. */
export type ImportErrorCode = "mcp-unreadable" | "openapi-invalid";

/** The address answers, but not as an MCP server, or not with an OpenAPI document. */
export class ImportError extends AppRegistryError {
  override readonly name = "ImportError";
  readonly code: ImportErrorCode;
  /** HTTP status of the refusal of a server that asks for credentials: 401 or 403. */
  readonly status: number | undefined;
  /** The `WWW-Authenticate` header of that refusal; empty without one. */
  readonly challenge: string;

  constructor(
    code: ImportErrorCode,
    message: string,
    { cause, status, challenge = "" }: { cause?: unknown; status?: number; challenge?: string } = {},
  ) {
    super(message, {
      action: "Check the address and that the service runs there, or write the metadata by hand.",
      docsPath: "/metadata",
      cause,
    });
    this.code = code;
    this.status = status;
    this.challenge = challenge;
  }
}
