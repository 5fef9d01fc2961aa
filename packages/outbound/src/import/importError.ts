import { AppRegistryError } from "@app-registry/sdk";

/** Stable code for what is wrong with an address. */
export type ImportErrorCode = "mcp-unreadable" | "agent-card-invalid" | "openapi-invalid";

/** The address answers, but not as an MCP server, or not with an agent card or an OpenAPI document. */
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
