import { compareTerms, createKeyedLock, printable } from "@app-registry/outbound/internal";
import { type JsonObject, toAppRegistryError } from "@app-registry/sdk";
import {
  type Progress,
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
  createDriftReport,
  type DriftMode,
  filterCapabilities,
  findElement,
  listPaymentTerms,
  type RequestedCapability,
} from "./allowedCapabilities.ts";
import type { RegisteredEndpoint } from "./registered.ts";
import type { ChangedList, Method, Upstream, UpstreamEvents } from "./upstream.ts";
import { LostSessionError, UpstreamError } from "./upstreamError.ts";
import { matchesTemplate, mayNameResource } from "./uriTemplate.ts";

export const versionModes = ["adopt", "ask"] as const;

export type VersionMode = (typeof versionModes)[number];

export type GuardOptions = {
  did: string;
  onDrift: DriftMode;
  /** Mode for a new registered version: adopt it, or ask the user. */
  onNewVersion: VersionMode;
  /** Verifies the service and reads the registered endpoint. */
  read: () => Promise<RegisteredEndpoint>;
  open: (url: string, events: UpstreamEvents) => Upstream;
  /** Shows one line to the user. */
  note: (line: string) => void;
  /** Returns the current time, in milliseconds. */
  now: () => number;
};

/** Lifetime of a cached verification, in milliseconds. */
const VERIFICATION_TTL_MS = 60_000;

/**
 * Shortest lifetime of a cached verification while the lists of the server differ, in milliseconds. A new version may be
 * the reason. The lifetime grows with the time for which the lists have differed.
 */
const DRIFT_RECHECK_TTL_MS = 3_000;

/** Time to trust a service while the chain is unavailable, in milliseconds. */
const OFFLINE_TRUST_MS = 3_600_000;

/** Minimum time between two notifications of changed lists, in milliseconds. */
const NOTICE_PAUSE = 10_000;

/** Maximum length of a line for the user, in characters. */
const MAX_NOTE = 1_000;

type Context = Pick<ServerContext["mcpReq"], "_meta" | "signal" | "notify">;

export type Guard = {
  /** Creates a server for one connection of a client. */
  serve(): Server;
  close(): Promise<void>;
};

/**
 * Creates an MCP proxy that exposes only the registered elements of a server. Reads and compares the server's lists
 * before each response, because servers need not announce changes. Does not pass the server's own requests on to the
 * client.
 *
 * Results of calls are not checked: a tool whose description matches the registered one may still be unsafe.
 *
 * @throws {NotVerifiedError} if a fact of the service does not pass. Also throws errors of the connection to its
 * server.
 */
export async function createGuard(options: GuardOptions): Promise<Guard> {
  const { did, onDrift, onNewVersion, read, open, now } = options;
  const note = (line: string): void => options.note(printable(line, MAX_NOTE));
  // Omit the reason, which may quote the publisher. It is written only to standard error.
  const distrust = `Verification of ${did} failed. Run app-registry verify ${did} for details.`;
  const servers = new Set<Server>();
  const reportDrift = createDriftReport({ did, onDrift, note, now });
  let registered = await read();
  let checkedAt = now();
  let verifiedAt = checkedAt;
  let checking: Promise<void> | undefined;
  let isDistrusted = false;
  let askedFor: string | undefined;
  /** Times of the first and last list that differed. */
  let [driftBeganAt, driftedAt] = [checkedAt, Number.NEGATIVE_INFINITY];
  const events: UpstreamEvents = { onListChanged: notifyListsChanged, onPaymentRequired: hasOtherTerms };
  let upstream = open(registered.url, events);
  const changed = new Set<ChangedList>();
  let pause: NodeJS.Timeout | undefined;

  /** Notifies clients of changed lists, with a pause: a server may announce a change whenever a list is read. */
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

  /** Reads the server's lists and compares them with the registered ones. */
  async function compareWithRegistered(): Promise<AllowedCapabilities> {
    const { entry, version } = registered;
    const offer = filterCapabilities(entry, await upstream.list(), onDrift);
    reportDrift(version, offer.differences);
    return offer;
  }

  /** Verifies the service again if the last verification is older than `kept`. Waiting calls share a verification. */
  async function recheck(kept: number): Promise<void> {
    if (now() - checkedAt < kept) return;
    checking ??= verify(now()).finally(() => {
      checking = undefined;
    });
    await checking;
  }

  /** Verifies the service and handles a new version. */
  async function verify(startedAt: number): Promise<void> {
    try {
      const current = await read();
      verifiedAt = now();
      isDistrusted = false;
      if (current.version === registered.version) return;
      if (onNewVersion === "adopt" && getOrigin(current) === getOrigin(registered)) adopt(current);
      else void ask(current);
    } catch (thrown) {
      const error = toAppRegistryError(thrown);
      if (error.retryable && now() - verifiedAt <= OFFLINE_TRUST_MS) return;
      if (!isDistrusted) note(error.shortMessage);
      isDistrusted = true;
    } finally {
      checkedAt = startedAt;
    }
  }

  /** Asks the user once whether to switch to a version, always if it is at another origin. */
  async function ask(current: RegisteredEndpoint): Promise<void> {
    if (askedFor === current.version) return;
    askedFor = current.version;
    const [before, after] = [registered, current].map(getOrigin);
    const isMoved = before !== after;
    const place = isMoved ? ` at ${after} instead of ${before}` : "";
    const consequence = isMoved ? " Calls and the values of --header are then sent there." : "";
    const message = `${did} has registered version ${current.version}${place}; this session uses ${registered.version}. Switch to ${current.version}?${consequence}`;
    const requestedSchema = { type: "object", properties: {} } as const;
    const server = [...servers].at(-1);
    // Treat an error as a refusal: some clients and revisions do not support elicitation.
    const answer = await server?.elicitInput({ message, requestedSchema }).catch(() => undefined);
    if (answer?.action === "accept") adopt(current);
    else
      note(
        `${did} has registered version ${current.version}${place}. This session keeps using ${registered.version}.`,
      );
  }

  function adopt(current: RegisteredEndpoint): void {
    if (current.url !== registered.url) {
      void upstream.retire();
      upstream = open(current.url, events);
    }
    registered = current;
    driftedAt = Number.NEGATIVE_INFINITY;
    note(`Now using version ${current.version} of ${did}.`);
    notifyListsChanged("tools", "resources", "prompts");
  }

  const looked = inTurn(compareWithRegistered);

  /**
   * Returns the elements that clients may see now.
   * @throws {ProtocolError} if the verification of the service failed.
   */
  async function offered(): Promise<AllowedCapabilities> {
    await recheck(VERIFICATION_TTL_MS);
    for (;;) {
      const before = registered;
      const offer = await looked();
      if (offer.differences.length > 0) {
        if (now() - driftedAt > VERIFICATION_TTL_MS) driftBeganAt = now();
        driftedAt = now();
        const lasted = driftedAt - driftBeganAt;
        await recheck(Math.min(Math.max(lasted, DRIFT_RECHECK_TTL_MS), VERIFICATION_TTL_MS));
      }
      if (isDistrusted) throw new ProtocolError(ProtocolErrorCode.InternalError, distrust);
      if (registered === before) return offer;
    }
  }

  /** Returns the requested element if it is listed. @throws {ProtocolError} if the request is not allowed. */
  async function check({ kind, name }: RequestedCapability): Promise<JsonObject | undefined> {
    const offer = await offered();
    const element = findElement(offer, { kind, name });
    if (element) return element;
    const different = offer.differences.filter(
      (one) =>
        one.kind === kind && (one.name === name || (kind === "resource" && mayNameResource(one.name, name))),
    );
    // A resource need not be listed. Then it has to match a registered template.
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

  /** Compares terms of payment with the registered ones. Returns true if another account, network or asset is paid. */
  async function hasOtherTerms(source: Response | JsonObject): Promise<boolean> {
    const { payments, url, version } = registered;
    const compared = await compareTerms(payments, url, source).catch(() => undefined);
    const { changes = [], otherPrice } = compared ?? {};
    for (const { diff } of changes.slice(0, 1))
      note(`${did} asks for another payment than version ${version}: ${diff.join("; ")}`);
    if (changes.length === 0 && otherPrice !== undefined)
      note(`${did} asks for ${otherPrice}, another price than version ${version}.`);
    return changes.length > 0;
  }

  /** @throws {ProtocolError} if a result asks for a payment that isn't registered (x402, transport MCP). */
  async function checkPayment(result: unknown, { kind, name }: RequestedCapability): Promise<void> {
    const judged = await Promise.all(listPaymentTerms(result).map(hasOtherTerms));
    if (onDrift !== "block" || !judged.includes(true)) return;
    throw new ProtocolError(
      ProtocolErrorCode.InternalError,
      `The payment for the ${kind} ${printable(name)} of ${did} is blocked: it isn't registered (version ${registered.version}).`,
    );
  }

  /** Forwards a request if the guard allows the requested tool, prompt or resource. */
  async function forwardRequest<Result>(
    method: Method,
    { _meta: _, ...params }: Record<string, unknown>,
    wanted: RequestedCapability,
    { signal, notify, _meta }: Context,
  ): Promise<Result> {
    const progressToken = _meta?.progressToken;
    let isTelling = false;
    const asked = {
      signal,
      ...(progressToken !== undefined && {
        onprogress: ({ progress, total }: Progress) => {
          // Drop progress until the client has read the previous notification.
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
    };
    const send = async () => {
      const element = await check(wanted);
      // Choose the connection after the check, which may adopt a version at another URL.
      const used = upstream;
      return used.ask<Result>(method, params, element, asked).catch(async (error) => {
        if (!(error instanceof LostSessionError)) throw error;
        const again = await check(wanted);
        // Don't resend if the session still exists: then the 404 is the server's reply to the call.
        if (used === upstream && !used.hasNewSession(error)) throw error;
        return upstream.ask<Result>(method, params, again, asked);
      });
    };
    const result = await send().catch((error) => {
      throw toProtocolError(error);
    });
    await checkPayment(result, wanted);
    return result;
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
      {
        name: did,
        get version() {
          return registered.version;
        },
      },
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

const getOrigin = ({ url }: RegisteredEndpoint): string => new URL(url).origin;

/** Converts an error for the client, without its data, which could ask the user to open a page. */
const toProtocolError = (error: unknown): unknown =>
  error instanceof UpstreamError ? new ProtocolError(error.rpcCode, error.shortMessage) : error;

/** Returns a function that never runs concurrently. Calls that wait for the same run share its result. */
function inTurn<Result>(work: () => Promise<Result>): () => Promise<Result> {
  const lock = createKeyedLock();
  let waiting: Promise<Result> | undefined;
  return () => {
    waiting ??= lock("", () => {
      waiting = undefined;
      return work();
    });
    return waiting;
  };
}
