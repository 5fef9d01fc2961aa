import { z } from "zod";
import { listServersQuerySchema } from "../mcpRegistry/listServers.ts";
import { serverEntrySchema, serverListSchema } from "../mcpRegistry/serverEntry.ts";
import {
  answer,
  get,
  hidden,
  notModifiedResponse,
  problem,
  problemSchema,
  queryParameters,
  rateLimitedResponse,
} from "./builders.ts";

/** Problem of the MCP registry's API, with the `error` member that its clients read. */
const mcpProblemSchema = problemSchema.extend({ error: z.string().describe("The title.") });
const ofIndex = {
  ...notModifiedResponse,
  ...rateLimitedResponse(mcpProblemSchema),
  "503": problem("The search index is unavailable. Try again.", mcpProblemSchema),
};
const noServer = {
  "404": problem("No MCP server of that name or version is registered.", mcpProblemSchema),
  "451": problem(hidden[451], mcpProblemSchema),
};
const serverNameParameter = {
  name: "serverName",
  in: "path",
  required: true,
  description: "Entry name, with its slash encoded as %2F.",
  schema: { type: "string" },
};

/** Routes of the MCP registry's API. */
export const mcpRegistryRoutes = {
  "/v0.1/servers": get(
    "listMcpServers",
    "List Active services with an MCP endpoint, in the MCP registry's API format",
    {
      description:
        "Lists services that have the trait api:mcp and an endpoint named MCP, newest first. An entry's name is its DID with the " +
        "host reversed: did:web:example.com:tools:weather is com.example/tools.weather, did:web:example.com is " +
        "com.example/_. Its `_meta` has the DID, the dataHash and a URL to verify the service. Unknown and empty parameters are ignored.",
      parameters: queryParameters(listServersQuerySchema),
      responses: {
        "200": answer("A page of servers.", serverListSchema),
        "400": problem("Invalid parameters, listed in `problems`.", mcpProblemSchema),
        ...ofIndex,
      },
    },
  ),
  "/v0.1/servers/{serverName}/versions": get(
    "listMcpServerVersions",
    "List all published versions of an MCP server, newest first",
    {
      description: "At most the highest 1,000 versions.",
      parameters: [serverNameParameter],
      responses: { "200": answer("The versions.", serverListSchema), ...noServer, ...ofIndex },
    },
  ),
  "/v0.1/servers/{serverName}/versions/{version}": get("getMcpServer", "Get one version of an MCP server", {
    parameters: [
      serverNameParameter,
      {
        name: "version",
        in: "path",
        required: true,
        description: "major.minor.patch, or latest for the current version of the highest Active major.",
        schema: { type: "string" },
      },
    ],
    responses: { "200": answer("The server.", serverEntrySchema), ...noServer, ...ofIndex },
  }),
};
