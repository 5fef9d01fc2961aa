import { agentCardImportSchema, mcpImportSchema } from "@app-registry/outbound";
import { checkDataUrlRequestSchema, servedDocumentSchema } from "../checkDataUrlRoute.ts";
import { importRequestSchema } from "../importRoute.ts";
import { answer, badRequest, body, bodyProblems, post, problems, tooMany } from "./parts.ts";

/** Routes that read for a publisher what is at an address. */
export const importRoutes = {
  "/api/import/mcp": post("importMcp", "Read the tools, resources and prompts of an MCP server", {
    requestBody: body(importRequestSchema),
    responses: {
      "200": answer("What the server lists.", mcpImportSchema),
      ...tooMany(),
      ...problems({
        ...badRequest,
        ...bodyProblems,
        422: "The address is no MCP server, or asks for credentials.",
        502: "The address does not answer.",
      }),
    },
  }),
  "/api/import/agent-card": post("importAgentCard", "Read an A2A agent card", {
    requestBody: body(importRequestSchema),
    responses: {
      "200": answer("The card.", agentCardImportSchema),
      ...tooMany(),
      ...problems({
        ...badRequest,
        ...bodyProblems,
        422: "The document is no agent card.",
        502: "The address does not answer.",
      }),
    },
  }),
  "/api/check-data-url": post("checkDataUrl", "Check that a URL serves the document of a hash", {
    requestBody: body(checkDataUrlRequestSchema),
    responses: {
      "200": answer("Whether it does, and why not.", servedDocumentSchema),
      ...tooMany(),
      ...problems({ ...badRequest, ...bodyProblems }),
    },
  }),
};
