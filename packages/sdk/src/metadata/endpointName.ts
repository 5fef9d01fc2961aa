import { apiTypes } from "../traits.ts";
import { MCP_ENDPOINT_NAME } from "./endpointSchema.ts";

/**
 * Returns the usual name of an endpoint of an API type.
 *
 * @example
 * endpointName("api:mcp"); // "MCP"
 */
export function endpointName(apiTrait: string): string {
  if (apiTrait === "api:mcp") return MCP_ENDPOINT_NAME;
  if (apiTrait === "api:a2a") return "A2A";
  return apiTypes.find(({ trait }) => trait === apiTrait)?.label ?? apiTrait.slice("api:".length);
}
