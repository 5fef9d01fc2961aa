import { AppRegistryError } from "@app-registry/sdk";

/** Stable name of the reason why an address is not what it was taken for. */
export type ImportErrorCode = "mcp-unreadable" | "agent-card-invalid" | "openapi-invalid";

/** The address answers, but not as an MCP server, with an agent card or with an OpenAPI document. */
export class ImportError extends AppRegistryError {
  override readonly name = "ImportError";
  readonly code: ImportErrorCode;

  constructor(code: ImportErrorCode, message: string, cause?: unknown) {
    super(message, {
      action: "Check the address and that the service runs there, or write the metadata by hand.",
      docsPath: "/metadata",
      cause,
    });
    this.code = code;
  }
}
