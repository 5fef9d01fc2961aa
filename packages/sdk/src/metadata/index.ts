export { checkFieldNames, type FieldWarning } from "./checkFieldNames.ts";
export { checkPublishable } from "./checkPublishable.ts";
export { type CapabilityChange, type CapabilityKind, compareCapabilities } from "./compareCapabilities.ts";
export { compareTools, type ToolComparison } from "./compareTools.ts";
export { endpointName } from "./endpointName.ts";
export {
  CONTRACT_ENDPOINT_NAME,
  type EndpointAuthentication,
  type EndpointEntry,
  type EndpointTransport,
  MCP_ENDPOINT_NAME,
  type McpPrompt,
  type McpResource,
  type McpTool,
} from "./endpointSchema.ts";
export { getEndpoints, isContractEndpoint } from "./getEndpoints.ts";
export * from "./limits.ts";
export { metadataJsonSchema } from "./metadataJsonSchema.ts";
export { type Metadata, metadataSchema } from "./metadataSchema.ts";
export type { Problem } from "./problem.ts";
export { safeHref } from "./safeHref.ts";
export { summarizeChanges } from "./summarizeChanges.ts";
