import {
  createRegistryServer,
  type RegistryReaders,
  readRegisteredService,
} from "@app-registry/mcp/registryServer";
import { RecordedDocumentError } from "@app-registry/outbound";
import { AppRegistryError } from "@app-registry/sdk";
import { createMcpHandler, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { z } from "zod";
import { ApiProblem, problemResponse, refuseHidden, toApiProblem } from "../http/problem.ts";
import { getSite } from "../http/rateLimits.ts";
import { logFailure } from "../http/requestLog.ts";
import { defineRoute, type Route, type RouteContext } from "../http/route.ts";
import { checkTurns, searchTurns } from "../http/turns.ts";
import { readPackages } from "../packages.ts";
import { findService } from "../records/lookup.ts";
import { searchRegistry } from "../records/searchRegistry.ts";
import { verifyOne } from "../records/verifyBatch.ts";
import type { Registry } from "../registry.ts";

/** Time limit for reading a record and its document, in milliseconds. */
const READ_TIMEOUT = 10_000;

/** JSON-RPC message, or a batch of them as in MCP 2025-03-26. */
const bodySchema = z.union([
  z.record(z.string(), z.unknown()),
  z.array(z.record(z.string(), z.unknown())).min(1).max(20),
]);

/**
 * Returns the route of the registry's own MCP server: stateless Streamable HTTP, in every revision of MCP that the SDK
 * speaks. It never streams, so GET and DELETE return 405.
 */
export const mcpRoute = (registry: () => Registry): Route =>
  defineRoute({
    method: "post",
    path: "/mcp",
    limits: ["searchClient"],
    body: bodySchema,
    onProblem: jsonRpcProblem,
    async handler(request, { body, ...context }) {
      const source = registry();
      refuseOtherOrigin(request, source.environment.publicUrl);
      const others = Array.isArray(body) ? body.length - 1 : 0;
      if (others > 0) await context.count("searchClient", context.clientAddress(), others);
      const { mcp } = await readPackages(source.environment);
      const readers = createReaders(source, request, context, mcp);
      // The tools never change, so there is nothing to subscribe to.
      const handler = createMcpHandler(() => createRegistryServer(readers), { maxSubscriptions: 0 });
      return handler.fetch(request, { parsedBody: body });
    },
  });

/** Refuses pages of other sites (MCP, Streamable HTTP: servers must validate Origin). */
function refuseOtherOrigin({ headers }: Request, publicUrl: string): void {
  const origin = headers.get("origin");
  if (origin === null || origin === new URL(publicUrl).origin) return;
  throw new ApiProblem(403, "other-origin", "Only MCP clients and pages of this site may send this request");
}

/** Converts a problem to a JSON-RPC error without id, because the request was not handled. */
function jsonRpcProblem(problem: ApiProblem, { requestId }: RouteContext): Response {
  const { code, title, httpStatus, details } = problem;
  const { ParseError, InvalidRequest, InternalError } = ProtocolErrorCode;
  const rpcCode = code === "not-json" ? ParseError : httpStatus >= 500 ? InternalError : InvalidRequest;
  const message = details.detail === undefined ? `${title}.` : `${title}. ${details.detail}`;
  const error = { code: rpcCode, message, data: { code, requestId } };
  const { status, headers } = problemResponse(problem, requestId);
  return Response.json(
    { jsonrpc: "2.0", id: null, error },
    { status, headers: { ...Object.fromEntries(headers), "content-type": "application/json" } },
  );
}

/** Creates the reads of one request. Those that read the chain count as reads, too. */
function createReaders(
  source: Registry,
  request: Request,
  context: RouteContext,
  guardPackage: string | undefined,
): RegistryReaders {
  const { client, environment, guardedFetch, hidden } = source;
  const startedAt = performance.now();
  const explain = async <Result>(read: () => Promise<Result>): Promise<Result> => {
    try {
      return await read();
    } catch (error) {
      if (error instanceof RecordedDocumentError || request.signal.aborted) throw error;
      const problem = toApiProblem(error);
      const { httpStatus: status, title, details } = problem;
      const { requestId } = context;
      if (status >= 500)
        logFailure(request, problem, error, "mcp", { requestId, status, startedAt, fields: {} });
      const action = status >= 500 ? "Try again in a moment." : undefined;
      throw new AppRegistryError(details.detail ?? `${title}.`, { cause: error, ...(action && { action }) });
    }
  };
  const site = getSite(context.clientAddress());
  const readChain = <Result>(read: () => Promise<Result>) =>
    explain(async () => {
      await context.count("readClient", context.clientAddress());
      return checkTurns(site, read, request.signal);
    });
  return {
    registryUrl: environment.publicUrl,
    guardCommand: guardPackage === undefined ? undefined : ["npx", "-y", guardPackage],
    search: (query) => explain(() => searchTurns(site, () => searchRegistry(source, query), request.signal)),
    find: (text) => explain(() => searchTurns(site, () => findService(source, text), request.signal)),
    verify: (service) => readChain(() => verifyOne(source, service)),
    read: (service) =>
      readChain(async () => {
        refuseHidden(hidden, service.did);
        return readRegisteredService({ client, guardedFetch, timeoutMs: READ_TIMEOUT }, service);
      }),
  };
}
