import {
  endpointName,
  type JsonObject,
  MAX_JSON_DEPTH,
  MAX_MCP_ENTRIES,
  type McpPrompt,
  type McpResource,
  type McpTool,
} from "@app-registry/sdk";
import { endpointEntrySchema } from "@app-registry/sdk/internal";
import * as z from "zod";
import type { GuardedFetch } from "../fetch/guardedFetch.ts";
import {
  findGuardedFetchError,
  GuardedFetchError,
  printable,
  timeoutError,
} from "../fetch/guardedFetchError.ts";
import { mediaTypeIn } from "../fetch/hosts.ts";
import { ImportError } from "./importError.ts";
import { asString } from "./json.ts";
import {
  connectMcp,
  isDeeperThan,
  isRpcError,
  listHttpStatus,
  type McpConnection,
  McpHandshakeError,
  type McpList,
  mcpLists,
  readMcpLists,
} from "./mcpClient.ts";
import { sanitizeMetadata } from "./sanitizeMetadata.ts";

/** Texts of a server about itself. */
const serverSchema = z.object({
  name: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  version: z.string().optional(),
  instructions: z.string().optional(),
  websiteUrl: z.string().optional(),
  icons: z.array(z.looseObject({ src: z.string() })).optional(),
});

/** Self-description of an MCP server: the fields of an endpoint entry in the metadata, and the server's own texts. */
export type McpImport = {
  url: string;
  transport: McpConnection["transport"];
  protocolVersion?: string;
  server: z.output<typeof serverSchema>;
  tools: McpTool[];
  resources: McpResource[];
  resourceTemplates: JsonObject[];
  prompts: McpPrompt[];
  /** Elements that no record can contain, in their order. */
  leftOut: LeftOutElement[];
};

/**
 * Reads the tools, resources, resource templates and prompts of an MCP server of any supported revision, as it lists
 * them. Entries that no record can contain are in `leftOut`. All requests share the time and size limits of the guarded
 * fetcher.
 *
 * @throws {GuardedFetchError} if the URL is not allowed or does not respond.
 * @throws {ImportError} `mcp-unreadable` if it does not respond as an MCP server; `needsAccess` is true if it requires
 * credentials. `mcp-revision-unknown` if it supports none of these revisions.
 * @example
 * const { tools } = await importMcp(mcpUrl, { guardedFetch });
 * tools.some(({ name }) => name === "echo"); // true
 */
export async function importMcp(
  url: string,
  { guardedFetch, signal }: { guardedFetch: GuardedFetch; signal?: AbortSignal },
): Promise<McpImport> {
  const session = guardedFetch.openSession();
  signal?.addEventListener("abort", session.close);
  const failures: GuardedFetchError[] = [];
  let challenge = "";
  const progress: Progress = { speaks: false };
  const fetch: typeof session.fetch = async (input, init) => {
    try {
      const response = await session.fetch(input, init);
      const location = response.headers.get("location") ?? "";
      const isMoved = response.status === 301 || response.status === 302;
      if (isMoved && URL.canParse(location, url)) progress.movedTo = new URL(location, url);
      challenge ||= response.headers.get("www-authenticate") ?? "";
      const isPost = init?.method === "POST";
      return isPost ? await rejectBatchResponse(response) : await dropOtherBody(response);
    } catch (error) {
      // Record the error: the transports wrap or swallow what their `fetch` throws, and the publisher needs the cause.
      if (error instanceof GuardedFetchError) failures.push(error);
      throw error;
    }
  };
  try {
    return await readServer(new URL(url), { fetch, signal: session.signal, progress });
  } catch (error) {
    const { aborted, reason } = session.signal;
    progress.speaks ||= error instanceof McpHandshakeError;
    const getLimit = () => (reason instanceof GuardedFetchError ? reason : timeoutError(new URL(url), error));
    const cause = failures.find(({ code }) => code !== "http-status") ?? findGuardedFetchError(error);
    // A JSON-RPC error is the server's reply, so a failure of another request is not the cause.
    const failure = aborted ? getLimit() : isRpcError(error) ? undefined : cause;
    if (!failure) throw createImportError(url, error, { challenge, ...progress });
    const isSilent = failure.code === "timeout" && !progress.speaks;
    const silence = `${new URL(url).host} gave no answer to initialize within the time limit.`;
    const message = describeList(url, progress.kind) + (isSilent ? silence : failure.shortMessage);
    throw new GuardedFetchError(failure.code, failure.url, message, failure);
  } finally {
    signal?.removeEventListener("abort", session.close);
    session.close();
  }
}

/**
 * State of a session: true after the handshake, the kind of the elements of a list that can't be read, and the target of
 * a redirect.
 */
type Progress = { speaks: boolean; kind?: string | undefined; movedTo?: URL };

type Session = Pick<ReturnType<GuardedFetch["openSession"]>, "fetch" | "signal"> & { progress: Progress };

async function readServer(url: URL, { progress, ...session }: Session): Promise<McpImport> {
  const { client, transport } = await connectMcp(url, session);
  try {
    progress.speaks = true;
    const { instructions, ...lists } = await readMcpLists(client, (list) => {
      progress.kind ??= mcpLists.find((one) => one.list === list)?.kind;
    });
    const leftOut = await removeUnregistrable(lists);
    const server = serverSchema.parse({ name: url.hostname, ...client.getServerVersion(), instructions });
    const protocolVersion = client.getNegotiatedProtocolVersion();
    const about = { url: url.href, transport, ...(protocolVersion && { protocolVersion }), server };
    // The lists contain only what the schemas of these types accept.
    return { ...about, ...(lists as Pick<McpImport, McpList>), leftOut };
  } finally {
    await client.close();
  }
}

/**
 * Replaces a JSON-RPC batch by an empty response. MCP has no batches since 2025-06-18, and the client processes all
 * messages of a batch synchronously, so a large one would block the process for seconds.
 */
async function rejectBatchResponse(response: Response): Promise<Response> {
  const { status, headers, body } = response;
  if (!body || !mediaTypeIn(headers).includes("json")) return response;
  const text = await response.text();
  return new Response(/^\s*\[/.test(text) ? "" : text, { status, headers });
}

/** Removes a body that is no event stream. The transport doesn't read it, and would wait for its end forever. */
async function dropOtherBody(response: Response): Promise<Response> {
  const { status, headers, body } = response;
  if (!body || mediaTypeIn(headers) === "text/event-stream") return response;
  await body.cancel();
  return new Response(null, { status, headers });
}

/** Returns the start of a message about a list that can't be read. Empty if there is no such list. */
const describeList = (url: string, kind: string | undefined) =>
  kind === undefined ? "" : `${url} is an MCP server, but its list of ${kind}s can't be read: `;

function createImportError(
  url: string,
  error: unknown,
  { challenge, speaks, kind, movedTo }: Progress & { challenge: string },
): ImportError {
  if (error instanceof McpHandshakeError && error.revisions) {
    const message = `${url} is an MCP server of a protocol revision that we can't read. ${error.message}`;
    return new ImportError("mcp-revision-unknown", message, { cause: error, speaks: true });
  }
  const status = listHttpStatus(error);
  const needsAccess = status === 401 || status === 403;
  const said = error instanceof Error ? printable(error.message, 200) : "";
  const message = needsAccess
    ? `${url} requires credentials (HTTP ${status}), so we can't read its tools. Enter them yourself.`
    : kind !== undefined
      ? describeList(url, kind) + (status === undefined ? said : `HTTP ${status}.`)
      : speaks
        ? `${url} is an MCP server, but doesn't list what it offers.`
        : status === 421
          ? `${url} answers 421: the server refuses this host name.`
          : `${url} did not respond as an MCP server over HTTP${status ? ` (HTTP status ${status})` : ""}.`;
  return new ImportError("mcp-unreadable", message, {
    cause: error,
    speaks,
    ...(status !== undefined && { status }),
    ...(needsAccess && { challenge }),
    ...(movedTo && { movedTo }),
  });
}

/** Element that no record can contain unchanged, or that MCP clients reject. */
type LeftOutElement = { list: McpList; element: JsonObject; reason: string };

/** Removes the elements that no record can contain from the lists of a server, and returns them with their reasons. */
async function removeUnregistrable(lists: Record<McpList, JsonObject[]>): Promise<LeftOutElement[]> {
  const { specTypeSchemas } = await import("@modelcontextprotocol/client");
  const leftOut: LeftOutElement[] = [];
  for (const { list, key, type } of mcpLists) {
    const kept = new Map<unknown, JsonObject>();
    const findFault = ({ _meta, ...element }: JsonObject): string | undefined => {
      const entry = { name: endpointName("api:mcp"), [list]: [element] };
      const [invalid] = specTypeSchemas[type]["~standard"].validate(element).issues ?? [];
      const [refused] = endpointEntrySchema.safeParse(entry).error?.issues ?? [];
      const { message } = invalid ?? refused ?? {};
      const path = (invalid?.path ?? refused?.path.slice(2) ?? []).join(".");
      if (message !== undefined) return `${path && `${path}: `}${message.replace("Invalid input: ", "")}`;
      if (kept.has(element[key])) return `an earlier one has the same ${key}`;
      if (JSON.stringify(sanitizeMetadata({ endpoints: [entry] })) !== JSON.stringify({ endpoints: [entry] }))
        return "contains control characters or text direction marks";
      return kept.size < MAX_MCP_ENTRIES ? undefined : `a record has room for ${MAX_MCP_ENTRIES}`;
    };
    for (const element of lists[list]) {
      // An element is below the document, its endpoints, an endpoint and a list.
      const isDeep = isDeeperThan(MAX_JSON_DEPTH - 4, element);
      const reason = isDeep ? "nested too deeply" : findFault(element);
      // Omit nested values, which comparisons could not serialize.
      const shown = isDeep ? { [key]: asString(element[key]) ?? "" } : element;
      if (reason === undefined) kept.set(element[key], element);
      else leftOut.push({ list, element: shown, reason });
    }
    lists[list] = [...kept.values()];
  }
  return leftOut;
}
