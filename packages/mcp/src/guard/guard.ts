import { printable } from "@app-registry/outbound/internal";
import { type JsonObject, toAppRegistryError } from "@app-registry/sdk";
import {
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
  type Resource,
  type ResourceTemplateType,
  Server,
  type ServerContext,
  type Tool,
} from "@modelcontextprotocol/server";
import {
  type AllowedCapabilities,
  type DriftMode,
  filterCapabilities,
  type McpList,
} from "./allowedCapabilities.ts";
import type { RegisteredEndpoint } from "./registered.ts";
import type { ChangedList, Method, Upstream } from "./upstream.ts";
import { UpstreamError } from "./upstreamError.ts";
import { matchesTemplate } from "./uriTemplate.ts";

export const versionModes = ["adopt", "ask"] as const;

export type VersionMode = (typeof versionModes)[number];

export type GuardOptions = {
  did: string;
  onDrift: DriftMode;
  /** What is done when the publisher registers another version: it is adopted, or the user is asked. */
  onNewVersion: VersionMode;
  /** Verifies the service, and reads what is registered now. */
  read: () => Promise<RegisteredEndpoint>;
  open: (url: string, onListChanged: (list: ChangedList) => void) => Upstream;
  /** Tells the user, in one line. */
  note: (line: string) => void;
  /** Milliseconds. */
  now: () => number;
};

/** Milliseconds for which what the chain says is taken for what it still says. */
const VERIFICATION_TTL_MS = 60_000;

/** The same when what the server lists is not what is registered: a new version may be why. */
const DRIFT_RECHECK_TTL_MS = 3_000;

/** Milliseconds for which a service is trusted while the chain can't be asked about it. */
const OFFLINE_TRUST_MS = 3_600_000;

/** Least time between two notifications that lists have changed, in milliseconds. */
const NOTICE_PAUSE = 10_000;

/** Most lines of a difference that the user is told, and most characters of a line. */
const MAX_NOTES = 100;
const MAX_NOTE = 1_000;

/** Something by its kind and name, as a client asks for it. */
type RequestedCapability = { kind: "tool" | "prompt" | "resource" | "resource template"; name: string };

/** What a handler is told of the request that it answers. */
type Context = Pick<ServerContext["mcpReq"], "_meta" | "signal" | "notify">;

export type Guard = {
  /** Creates a server for one connection of a client. */
  serve(): Server;
  close(): Promise<void>;
};

/**
 * Creates an MCP server that stands before another one, and shows of it what its publisher has registered. Before each
 * answer the lists of the other one are read anew and compared, since no server has to say that they changed. A server that
 * asks its client for something is not heard.
 *
 * What is called answers as it likes: that a tool is described as it was signed does not make it safe.
 *
 * @throws {NotVerifiedError} when the service does not pass its facts, and whatever reaching its server throws.
 */
export async function createGuard(options: GuardOptions): Promise<Guard> {
  const { did, onDrift, onNewVersion, read, open, now } = options;
  const note = (line: string): void => options.note(printable(line, MAX_NOTE));
  // The reason may quote the publisher, so it goes to standard error only.
  const distrust = `Verification of ${did} failed. Run app-registry verify ${did} for details.`;
  const servers = new Set<Server>();
  let registered = await read();
  let checkedAt = now();
  let verifiedAt = checkedAt;
  let isDistrusted = false;
  let askedFor: string | undefined;
  let reportedDrift = "";
  let upstream = open(registered.url, notifyListsChanged);
  const changed = new Set<ChangedList>();
  let pause: NodeJS.Timeout | undefined;

  /** Has the client read lists again, soon: a server may announce a change in answer to every list. */
  function notifyListsChanged(...lists: ChangedList[]): void {
    for (const list of lists) changed.add(list);
    if (pause !== undefined || changed.size === 0) return;
    for (const server of servers) {
      if (changed.has("tools")) void server.sendToolListChanged().catch(() => undefined);
      if (changed.has("resources")) void server.sendResourceListChanged().catch(() => undefined);
      if (changed.has("prompts")) void server.sendPromptListChanged().catch(() => undefined);
    }
    changed.clear();
    pause = setTimeout(() => {
      pause = undefined;
      notifyListsChanged();
    }, NOTICE_PAUSE).unref();
  }

  /** Reads what the server lists, and compares it; a difference is told once. */
  async function compareWithRegistered(): Promise<AllowedCapabilities> {
    const offer = filterCapabilities(registered.entry, await upstream.list(), onDrift);
    const lines = offer.differences.flatMap(({ kind, name, reason, diff }) => [
      `  ${kind} ${printable(name)} ${reason}`,
      ...diff.map((line) => `    ${printable(line, 400)}`),
    ]);
    const drift = lines.join("\n");
    if (drift !== reportedDrift && onDrift !== "allow") {
      const what = onDrift === "block" ? "Blocked from" : "Not as registered, from";
      note(
        drift === ""
          ? `${did} matches the registered version again.`
          : `${what} ${did} ${registered.version}:`,
      );
      lines.slice(0, MAX_NOTES).forEach(note);
      if (lines.length > MAX_NOTES) note(`  … and ${lines.length - MAX_NOTES} more lines`);
    }
    reportedDrift = drift;
    return offer;
  }

  /** Verifies the service again when that was a while ago, and takes over what is registered now. */
  async function recheck(kept: number): Promise<void> {
    if (now() - checkedAt < kept) return;
    checkedAt = now();
    try {
      const current = await read();
      verifiedAt = now();
      isDistrusted = false;
      if (current.version === registered.version) return;
      if (onNewVersion === "adopt") await adopt(current);
      else void ask(current);
    } catch (thrown) {
      const error = toAppRegistryError(thrown);
      if (error.retryable && now() - verifiedAt <= OFFLINE_TRUST_MS) return;
      if (!isDistrusted) note(error.shortMessage);
      isDistrusted = true;
    }
  }

  /** Asks the user whether a version may be used, once. */
  async function ask(current: RegisteredEndpoint): Promise<void> {
    if (askedFor === current.version) return;
    askedFor = current.version;
    const message = `${did} has registered version ${current.version}; this session uses ${registered.version}. Switch to ${current.version}?`;
    const requestedSchema = { type: "object", properties: {} } as const;
    const server = [...servers].at(-1);
    // A client that can't ask its user refuses at once, as does one of a revision without such requests.
    const answer = await server?.elicitInput({ message, requestedSchema }).catch(() => undefined);
    if (answer?.action === "accept") await adopt(current);
    else
      note(
        `${did} has registered version ${current.version}. This session keeps using ${registered.version}.`,
      );
  }

  async function adopt(current: RegisteredEndpoint): Promise<void> {
    if (current.url !== registered.url) {
      await upstream.close();
      upstream = open(current.url, notifyListsChanged);
    }
    registered = current;
    note(`Now using version ${current.version} of ${did}.`);
    notifyListsChanged("tools", "resources", "prompts");
  }

  const looked = inTurn(compareWithRegistered);

  /** Returns what the server lists now and may be shown. @throws {ProtocolError} while the service is not to be trusted */
  async function offered(): Promise<AllowedCapabilities> {
    await recheck(VERIFICATION_TTL_MS);
    const offer = await looked();
    const before = registered;
    if (offer.differences.length > 0) await recheck(DRIFT_RECHECK_TTL_MS);
    if (isDistrusted) throw new ProtocolError(ProtocolErrorCode.InternalError, distrust);
    return registered === before ? offer : looked();
  }

  /** Returns what a request is about, if it is listed. @throws {ProtocolError} if it is not offered now */
  async function check({ kind, name }: RequestedCapability): Promise<JsonObject | undefined> {
    const offer = await offered();
    const element = findElement(offer, { kind, name });
    if (element) return element;
    const different = offer.differences.filter(
      (one) => one.kind === kind && (one.name === name || (kind === "resource" && isSame(one.name, name))),
    );
    // Resources need not be listed, and only a registered template can say which others there are.
    if (kind === "resource") {
      const templates = offer.lists.resourceTemplates.map(({ uriTemplate }) => String(uriTemplate));
      const isTemplated = matchesTemplate(templates, name);
      if (onDrift !== "block" || (isTemplated && different.length === 0)) return undefined;
    }
    const reason = different[0]?.reason ?? "is not registered";
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `The ${kind} ${printable(name)} of ${did} is blocked: it ${reason} (version ${registered.version}).`,
    );
  }

  /** Forwards a request if what it is about is offered. */
  async function forwardRequest<Result>(
    method: Method,
    { _meta: _, ...params }: Record<string, unknown>,
    wanted: RequestedCapability,
    { signal, notify, _meta }: Context,
  ): Promise<Result> {
    const progressToken = _meta?.progressToken;
    let isTelling = false;
    return upstream
      .ask<Result>(method, params, () => check(wanted), {
        signal,
        ...(progressToken !== undefined && {
          onprogress: ({ progress, total }) => {
            // A client that doesn't read is told no more until it does.
            if (isTelling) return;
            isTelling = true;
            const reported = { progressToken, progress, ...(total !== undefined && { total }) };
            void notify({ method: "notifications/progress", params: reported })
              .catch(() => undefined)
              .finally(() => {
                isTelling = false;
              });
          },
        }),
      })
      .catch((error) => {
        throw toProtocolError(error);
      });
  }

  const { instructions } = await compareWithRegistered().catch(async (error) => {
    await upstream.close();
    throw error;
  });
  const lists = async () => {
    const offer = await offered().catch((error) => {
      throw toProtocolError(error);
    });
    return offer.lists as unknown as Lists;
  };

  function serve(): Server {
    const server = new Server(
      { name: did, version: registered.version },
      {
        capabilities: {
          tools: { listChanged: true },
          resources: { listChanged: true },
          prompts: { listChanged: true },
          completions: {},
        },
        ...(instructions !== undefined && { instructions }),
      },
    );
    servers.add(server);
    server.onclose = () => void servers.delete(server);
    server.setRequestHandler("tools/list", async () => ({ tools: (await lists()).tools }));
    server.setRequestHandler("resources/list", async () => ({ resources: (await lists()).resources }));
    server.setRequestHandler("resources/templates/list", async () => ({
      resourceTemplates: (await lists()).resourceTemplates,
    }));
    server.setRequestHandler("prompts/list", async () => ({ prompts: (await lists()).prompts }));
    server.setRequestHandler("tools/call", ({ method, params }, { mcpReq }) =>
      forwardRequest(method, params, { kind: "tool", name: params.name }, mcpReq),
    );
    server.setRequestHandler("prompts/get", ({ method, params }, { mcpReq }) =>
      forwardRequest(method, params, { kind: "prompt", name: params.name }, mcpReq),
    );
    server.setRequestHandler("resources/read", ({ method, params }, { mcpReq }) =>
      forwardRequest(method, params, { kind: "resource", name: params.uri }, mcpReq),
    );
    server.setRequestHandler("completion/complete", ({ method, params }, { mcpReq }) => {
      const { ref } = params;
      const [kind, name] =
        ref.type === "ref/prompt"
          ? (["prompt", ref.name] as const)
          : (["resource template", ref.uri] as const);
      return forwardRequest(method, params, { kind, name }, mcpReq);
    });
    return server;
  }

  return {
    serve,
    close() {
      clearTimeout(pause);
      return upstream.close();
    },
  };
}

type Lists = {
  tools: Tool[];
  resources: Resource[];
  resourceTemplates: ResourceTemplateType[];
  prompts: Prompt[];
};

/** Returns an error as clients are told it, without data, which could ask the user to open a page. */
const toProtocolError = (error: unknown): unknown =>
  error instanceof UpstreamError ? new ProtocolError(error.rpcCode, error.shortMessage) : error;

/** Returns a function that does some work one at a time, and once for all who call it before the work begins. */
function inTurn<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  let waiting: Promise<Result> | undefined;
  return () => {
    waiting ??= last.then(() => {
      waiting = undefined;
      return work();
    });
    last = waiting.catch(() => undefined);
    return waiting;
  };
}

const capabilityPlaces: Record<RequestedCapability["kind"], [McpList, key: string]> = {
  tool: ["tools", "name"],
  prompt: ["prompts", "name"],
  resource: ["resources", "uri"],
  "resource template": ["resourceTemplates", "uriTemplate"],
};

function findElement(
  { lists }: AllowedCapabilities,
  { kind, name }: RequestedCapability,
): JsonObject | undefined {
  const [list, key] = capabilityPlaces[kind];
  return lists[list].find((element) => element[key] === name);
}

/** Returns true if a server may take two URIs for the same resource. */
function isSame(one: string, other: string): boolean {
  const resolved = (uri: string) => (URL.canParse(uri) ? new URL(uri).href : uri);
  const decoded = (uri: string) => {
    try {
      return decodeURIComponent(uri);
    } catch {
      return uri;
    }
  };
  const plain = (uri: string) =>
    resolved(decoded(resolved(uri)))
      // Without the lookbehind, the time grows with the square of the number of slashes.
      .replace(/(?<!\/)\/+$/, "")
      .toLowerCase();
  return plain(one) === plain(other);
}
