/** Conventional paths of documents. The paths of one list are requested in order until one responds. */
export const wellKnownLocations: { lookedFor: string; paths: string[] }[] = [
  {
    lookedFor: "an MCP server card",
    paths: [
      "/.well-known/mcp/server-card.json",
      "/.well-known/mcp.json",
      "/.well-known/mcp-server-card",
      "/.well-known/mcp-server-card.json",
      "/mcp/server-card",
    ],
  },
  { lookedFor: "an agent card", paths: ["/.well-known/agent-card.json", "/.well-known/agent.json"] },
  {
    lookedFor: "an OpenAPI document",
    paths: ["/openapi.json", "/openapi.yaml", "/api/openapi.json", "/v3/api-docs"],
  },
  { lookedFor: "an agent's registration file", paths: ["/.well-known/agent-registration.json"] },
  { lookedFor: "an AI catalog", paths: ["/.well-known/ai-catalog.json"] },
  { lookedFor: "an API catalog", paths: ["/.well-known/api-catalog"] },
];

/** Conventional paths of MCP servers. */
export const mcpPaths = ["/mcp", "/sse"];

/** Paths of the OpenAPI document and of the page that shows it in frameworks, requested where a host offers nothing else. */
export const frameworkLocation = {
  lookedFor: "an OpenAPI document",
  paths: [
    "/.well-known/openapi.json",
    "/swagger.json",
    "/documentation/json",
    "/doc",
    "/docs",
    "/api-docs/",
    "/api-docs.json",
    "/swagger/v1/swagger.json",
  ],
};

/** Returns true if the path is one of those usual for MCP servers. */
export const isMcpPath = ({ pathname }: URL): boolean => /\/(?:mcp|sse)\/?$/i.test(pathname);

/** Paths of documents, at which no MCP server responds. */
export const isDocument = /\/\.well-known\/|\/server-card$|\.(?:json|ya?ml|html?|txt|xml)$/i;

/** Path of agents' registration files. */
export const REGISTRATION_PATH = /\/agent-registration\.json$/;
