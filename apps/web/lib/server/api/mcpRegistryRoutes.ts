import { z } from "zod";
import { respondWithEtag, sharedJsonHeaders } from "../etag.ts";
import { searchTurns } from "../limits/routeTurns.ts";
import { listServers, listServersQuerySchema } from "../mcpRegistry/listServers.ts";
import { readServer, serverQuerySchema } from "../mcpRegistry/readServer.ts";
import { serverEntrySchema, serverListSchema } from "../mcpRegistry/serverEntry.ts";
import { problemResponse } from "../problem.ts";
import type { Registry } from "../registry.ts";
import { answer, defineRoute, hidden, noIndex, notModified, problemSchema, type Route } from "./route.ts";

/** Problem of the MCP registry's API, with the `error` member that its clients read. */
const mcpProblemSchema = problemSchema.extend({ error: z.string().describe("The title.") });
const badQuery = { 400: "Invalid parameters, listed in `problems`." };
const noServer = { 404: "No MCP server of that name or version is registered.", ...hidden };
const serverName = {
  name: "serverName",
  in: "path",
  required: true,
  description: "Entry name, with its slash encoded as %2F.",
  schema: { type: "string" },
};

/** Returns the routes of the MCP registry's API. */
export function mcpRegistryRoutes(registry: () => Registry): Route[] {
  const shared = {
    method: "get",
    limits: ["searchClient"],
    inTurn: searchTurns,
    onProblem: (problem, { requestId }) => problemResponse(problem, requestId, { error: problem.title }),
  } satisfies Partial<Route>;
  const respond = (request: Request, found: object) =>
    respondWithEtag(request, JSON.stringify(found), sharedJsonHeaders);
  const ofServer = {
    ...shared,
    // One handler reads every path: the slash in a name may be encoded or not, and unknown paths get 404 with CORS.
    match: ["/v0.1", "/v0.1/:path{.+}"],
    handler: async (request: Request) => respond(request, await readServer(request, registry())),
  };
  return [
    defineRoute({
      ...shared,
      path: "/v0.1/servers",
      documented: {
        operationId: "listMcpServers",
        summary: "List services with an MCP endpoint, in the MCP registry's API format",
        description:
          "Lists the current version of every record that has the trait api:mcp and an endpoint named MCP, newest first. " +
          "Deprecated and Replaced records have the status deprecated. An entry's name is its DID with the " +
          "host reversed: did:web:example.com:tools:weather is com.example/tools.weather, did:web:example.com is " +
          "com.example/_. Its `_meta` has the DID, the dataHash, the last known outcome of each fact and URLs to verify " +
          "them. Unknown and empty parameters are ignored.",
        query: listServersQuerySchema,
        responses: { 200: answer("A page of servers.", serverListSchema), ...notModified },
        errors: { ...badQuery, ...noIndex },
        problem: mcpProblemSchema,
      },
      handler: async (request) => respond(request, await listServers(new URL(request.url), registry())),
    }),
    defineRoute({
      ...ofServer,
      path: "/v0.1/servers/{serverName}/versions",
      documented: {
        operationId: "listMcpServerVersions",
        summary: "List all published versions of an MCP server, newest first",
        description: "At most the highest 1,000 versions.",
        parameters: [serverName],
        query: serverQuerySchema,
        responses: { 200: answer("The versions.", serverListSchema), ...notModified },
        errors: { ...badQuery, ...noServer, ...noIndex },
        problem: mcpProblemSchema,
      },
    }),
    defineRoute({
      ...ofServer,
      path: "/v0.1/servers/{serverName}/versions/{version}",
      documented: {
        operationId: "getMcpServer",
        summary: "Get one version of an MCP server",
        parameters: [
          serverName,
          {
            name: "version",
            in: "path",
            required: true,
            description: "major.minor.patch, or latest for the current version of the highest Active major.",
            schema: { type: "string" },
          },
        ],
        query: serverQuerySchema,
        responses: { 200: answer("The server.", serverEntrySchema), ...notModified },
        errors: { ...badQuery, ...noServer, ...noIndex },
        problem: mcpProblemSchema,
      },
    }),
  ];
}
