import { verifyAndAttestFailureSchema, verifyAndAttestResponseSchema } from "@app-registry/issuer";
import { agentCardImportSchema, mcpImportSchema } from "@app-registry/outbound";
import { searchPageSchema, searchQuerySchema } from "@app-registry/sdk";
import { z } from "zod";
import { healthSchema } from "./health.ts";
import { importRequestSchema } from "./importRoute.ts";
import { listServersQuerySchema } from "./mcpRegistry/listServers.ts";
import { serverEntrySchema, serverListSchema } from "./mcpRegistry/serverEntry.ts";
import { accountSchema } from "./readAccount.ts";
import { appResponseSchema } from "./readApp.ts";
import { attestRequestSchema } from "./verifyAndAttest.ts";
import { verifyRequestSchema, verifyResponseSchema } from "./verifyMany.ts";
import { nonceSchema } from "./walletProof/walletProof.ts";

/** RFC 9457 problem details, with what every problem of this API adds. */
const problemSchema = z.object({
  type: z.literal("about:blank"),
  title: z.string(),
  status: z.int().describe("The HTTP status."),
  code: z.string().describe("Stable name of the cause."),
  detail: z.string().optional(),
  problems: z
    .array(
      z.object({ pointer: z.string().optional(), parameter: z.string().optional(), message: z.string() }),
    )
    .optional()
    .describe("Each wrong place of the request."),
  retryable: z.boolean().describe("Whether the same request may succeed later."),
  requestId: z.string(),
});

/** A problem of verify-and-attest: its `status` is the API's word, not the HTTP status. */
const verifyAndAttestProblemSchema = problemSchema.extend(verifyAndAttestFailureSchema.shape);

type Direction = "input" | "output";
type JsonSchema = Record<string, unknown>;

function jsonSchema(schema: z.core.$ZodType, io: Direction): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return rest;
}

const json = (schema: z.core.$ZodType, io: Direction = "output", type = "application/json") => ({
  content: { [type]: { schema: jsonSchema(schema, io) } },
});
const answer = (description: string, schema: z.core.$ZodType) => ({ description, ...json(schema) });
const problem = (description: string, schema: z.core.$ZodType = problemSchema) => ({
  description,
  ...json(schema, "output", "application/problem+json"),
});
/** Problems by their HTTP status. */
const problems = (texts: Record<number, string>, schema?: z.core.$ZodType) =>
  Object.fromEntries(Object.entries(texts).map(([status, text]) => [status, problem(text, schema)]));
const anyJson = (description: string) => ({
  description,
  content: { "application/json": { schema: { type: "object" } } },
});
const ofType = (type: string, description: string) => ({
  description,
  content: { [type]: { schema: { type: "string", contentMediaType: type } } },
});
const body = (schema: z.core.$ZodType) => ({ required: true, ...json(schema, "input") });

function queryParameters(schema: z.core.$ZodType): JsonSchema[] {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...rest } = property as JsonSchema;
    return { name, in: "query", required: required.includes(name), description, schema: rest };
  });
}

const versionedDid = (description: string) => ({
  name: "versionedDid",
  in: "path",
  required: true,
  description: `${description} It holds "/": a %3A of the DID may stand as %3A or encoded once more as %253A.`,
  schema: { type: "string" },
});

/** Limits of a route: draft-ietf-httpapi-ratelimit-headers. */
const rateLimitHeaders = {
  RateLimit: {
    description: "What each limit has left (r) and seconds until it is renewed (t).",
    schema: { type: "string" },
  },
  "RateLimit-Policy": { description: "Requests (q) in a window of seconds (w).", schema: { type: "string" } },
};
const retryAfter = { "Retry-After": { description: "Seconds.", schema: { type: "integer" } } };
const tooMany = (schema?: z.core.$ZodType) => ({
  "429": { ...problem("Too many requests.", schema), headers: { ...rateLimitHeaders, ...retryAfter } },
});
const bodyProblems = {
  408: "The body did not arrive in time.",
  413: "The body is too large.",
  415: "The body is not application/json.",
};

/** Of routes with an ETag of their answer. */
const unchanged = { "304": { description: "The ETag in If-None-Match is that of the answer." } };

const badRequest = { 400: "The request is not valid; `problems` names each wrong place." };
const notRegistered = { 404: "The service or the version is not registered." };
const hidden = { 451: "The operator hides this service (`hidden`); `detail` is the public reason." };
const unavailable = { 503: "The chain does not answer. Try again." };

/** A problem of the MCP registry's API has the member by which its clients read one. */
const mcpProblemSchema = problemSchema.extend({ error: z.string().describe("The title.") });
const ofIndex = {
  ...unchanged,
  ...tooMany(mcpProblemSchema),
  "503": problem("The index does not answer. Try again.", mcpProblemSchema),
};
const noServer = {
  "404": problem("No MCP server of that name or version is registered.", mcpProblemSchema),
  "451": problem(hidden[451], mcpProblemSchema),
};
const serverNameParameter = {
  name: "serverName",
  in: "path",
  required: true,
  description: "The name of an entry; its slash stands as %2F.",
  schema: { type: "string" },
};

type Operation = { requestBody?: object; parameters?: object[]; responses: object };
const get = (operationId: string, summary: string, operation: Operation) => ({
  get: { operationId, summary, ...operation },
});
const post = (operationId: string, summary: string, operation: Operation) => ({
  post: { operationId, summary, ...operation },
});

/** The OpenAPI 3.1 document of this API, from the very schemas that check its requests and type its answers. */
export function openApiDocument(publicUrl: string): JsonSchema {
  return {
    openapi: "3.1.0",
    info: {
      title: "App Registry",
      version: "0.1.0",
      description:
        "Search and verify the services of an App Registry, and have control of a DID attested. " +
        "Errors are problem details (RFC 9457) with a stable `code`; every answer has an x-request-id. " +
        "A method that a route does not have is 405 with Allow, a path that is no route 404.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: publicUrl }],
    paths: {
      "/api/verify-and-attest": post("verifyAndAttest", "Check that a wallet controls a DID, and attest it", {
        requestBody: body(attestRequestSchema),
        responses: {
          "200": answer("Attested, now or before, or waiting.", verifyAndAttestResponseSchema),
          "202": answer("Sent, and no receipt yet. Safe to repeat.", verifyAndAttestResponseSchema),
          ...tooMany(verifyAndAttestProblemSchema),
          ...problems(
            {
              400: "The request is not valid.",
              403: "This server wants `siwe`, or the one given does not hold.",
              ...bodyProblems,
              422: "Control is not proven (`ways` and `publish` say why), or the resolver does not let the wallet count yet (`code` says why).",
              502: "A host that was asked does not answer. Try again.",
              503: "The chain does not answer, or the issuer can't or may not spend now. Try again.",
              504: "It took too long. Try again.",
            },
            verifyAndAttestProblemSchema,
          ),
        },
      }),
      "/api/verify": post("verifyApps", "Verify up to 50 services", {
        requestBody: body(verifyRequestSchema),
        responses: {
          "200": answer("A report or a problem for each DID, in their order.", verifyResponseSchema),
          ...tooMany(),
          ...problems({ ...badRequest, ...bodyProblems }),
        },
      }),
      "/api/nonce": get(
        "getNonce",
        "A nonce for the message by which a wallet shows that its holder asks (EIP-4361)",
        {
          responses: {
            "200": answer("Good for one DID and one wallet, until it ends.", nonceSchema),
            ...tooMany(),
            ...problems({
              404: "This server wants no such message.",
              503: "The store of nonces does not answer. Try again.",
            }),
          },
        },
      ),
      "/api/data-url/{versionedDid}": get("getMetadata", "The canonical metadata document of a version", {
        parameters: [versionedDid("<did>/v/<major.minor> or <did>/v/<major.minor.patch>.")],
        responses: {
          "200": anyJson(
            "The RFC 8785 text that hashes to the recorded dataHash, which is the ETag. With Cache-Status, the chain " +
              "does not answer, and this is what was served of an x.y.z before.",
          ),
          "304": { description: "The ETag in If-None-Match is the recorded dataHash." },
          ...tooMany(),
          ...problems({
            ...badRequest,
            404: "The version was never registered.",
            409: "The document at dataUrl is not the recorded one.",
            502: "The host of dataUrl does not serve the document.",
            ...unavailable,
            508: "The dataUrl leads back to this server, and the JSON is not on the chain.",
          }),
        },
      }),
      "/api/search": get("searchApps", "Search the registered services", {
        parameters: queryParameters(searchQuerySchema),
        responses: {
          "200": answer("A page of results.", searchPageSchema),
          ...unchanged,
          ...tooMany(),
          ...problems({ ...badRequest, ...hidden, 503: "Neither the index nor the chain can answer now." }),
        },
      }),
      "/v0.1/servers": get(
        "listMcpServers",
        "The Active services with an MCP endpoint, as the MCP registry's API lists servers",
        {
          parameters: queryParameters(listServersQuerySchema),
          responses: {
            "200": answer("A page of servers.", serverListSchema),
            "400": problem("A parameter is not valid; `problems` names each.", mcpProblemSchema),
            ...ofIndex,
          },
        },
      ),
      "/v0.1/servers/{serverName}/versions": get(
        "listMcpServerVersions",
        "Every published version of an MCP server, newest first",
        {
          parameters: [serverNameParameter],
          responses: { "200": answer("The versions.", serverListSchema), ...noServer, ...ofIndex },
        },
      ),
      "/v0.1/servers/{serverName}/versions/{version}": get("getMcpServer", "One of these versions", {
        parameters: [
          serverNameParameter,
          {
            name: "version",
            in: "path",
            required: true,
            description: "major.minor.patch, or latest: the current one of the highest Active major.",
            schema: { type: "string" },
          },
        ],
        responses: { "200": answer("The server.", serverEntrySchema), ...noServer, ...ofIndex },
      }),
      "/api/apps/{versionedDid}": get("getApp", "A record with its metadata and a verification report", {
        parameters: [versionedDid("<did>, or <did>/v/<version>.")],
        responses: {
          "200": answer("The record.", appResponseSchema),
          ...tooMany(),
          ...problems({
            ...badRequest,
            ...notRegistered,
            ...hidden,
            ...unavailable,
          }),
        },
      }),
      "/api/badge/{versionedDid}": get("getBadge", "A badge of a service's facts, led by what is proven", {
        parameters: [versionedDid("<did>, or <did>/v/<version>.")],
        responses: {
          "200": ofType("image/svg+xml", "The badge. It may be kept for minutes."),
          ...tooMany(),
          ...problems({ ...badRequest, ...notRegistered, ...unavailable }),
        },
      }),
      "/api/card/{versionedDid}": get("getCard", "The picture that social sites show for a service's page", {
        parameters: [versionedDid("<did>, or <did>/v/<version>.")],
        responses: {
          "200": ofType(
            "image/png",
            "1200 by 630 pixels, led by what is proven. It may be kept for minutes.",
          ),
          ...tooMany(),
          ...problems({ ...badRequest, ...notRegistered, ...unavailable }),
        },
      }),
      "/api/picture/{versionedDid}": get(
        "getPicture",
        "A picture that a version's document names, drawn anew",
        {
          parameters: [
            versionedDid("<did>/v/<version>."),
            {
              name: "pointer",
              in: "query",
              required: true,
              description: "JSON Pointer of the picture: /image, or /screenshotUrls/0.",
              schema: { type: "string" },
            },
          ],
          responses: {
            "200": ofType(
              "image/webp",
              "The picture, at most 1,280 pixels a side. It may be kept for an hour.",
            ),
            ...tooMany(),
            ...problems({
              ...badRequest,
              404: "The version is not registered, or its document names no such picture.",
              409: "The document at dataUrl is not the recorded one.",
              422: "It is no picture that is shown here, or too large.",
              502: "Its host, or that of dataUrl, does not serve it.",
              ...unavailable,
            }),
          },
        },
      ),
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
      "/api/accounts/{address}": get(
        "getAccount",
        "What an account holds, minted, controls or waits for, and who asks to control the same DIDs",
        {
          parameters: [{ name: "address", in: "path", required: true, schema: { type: "string" } }],
          responses: {
            "200": answer("As the index has it.", accountSchema),
            ...problems({ 404: "This is no address.", 503: "The index or the chain does not answer." }),
          },
        },
      ),
      "/api/health": get("health", "Whether the server can do its work, and what keeps it from it", {
        responses: {
          "200": answer("ok or degraded.", healthSchema),
          "503": answer("down: chain, database or the issuer's authorisation is gone.", healthSchema),
        },
      }),
      "/api/deployment": get(
        "getDeployment",
        "The contracts' addresses on the chain that this server reads, and an RPC endpoint of it",
        {
          responses: {
            "200": anyJson("The deployment file, with `rpcUrl`: the RPC endpoint that clients are told."),
          },
        },
      ),
      "/api/openapi.json": get("getOpenApi", "This document", {
        responses: { "200": anyJson("OpenAPI 3.1.") },
      }),
    },
  };
}
