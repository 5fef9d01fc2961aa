export { type Filled, fillFromAgentCard, fillFromMcp, fillFromOpenApi } from "./fill.ts";
export { type AgentCardImport, agentCardImportSchema, importAgentCard } from "./importAgentCard.ts";
export { ImportError, type ImportErrorCode } from "./importError.ts";
export { importMcp, type McpImport, mcpImportSchema } from "./importMcp.ts";
export { importOpenApi, type OpenApiImport } from "./importOpenApi.ts";
