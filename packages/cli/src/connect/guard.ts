import { guardedFetchErrorIn, printable } from "@app-registry/outbound/internal";
import { type AppRegistryError, toAppRegistryError } from "@app-registry/sdk";
import {
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
  type Resource,
  type ResourceTemplateType,
  Server,
  type ServerContext,
  type Tool,
  UriTemplate,
} from "@modelcontextprotocol/server";
import { type DriftMode, type McpList, type Offer, offerOf } from "./offer.ts";
import type { RegisteredEndpoint } from "./registered.ts";
import type { Method, Upstream } from "./upstream.ts";

export const versionModes = ["adopt", "ask"] as const;

type VersionMode = (typeof versionModes)[number];

export type GuardOptions = {
  did: string;
  onDrift: DriftMode;
  /** What is done when the publisher registers another version: it is adopted, or the user is asked. */
  onNewVersion: VersionMode;
  /** Verifies the service, and reads what is registered now. */
  read: () => Promise<RegisteredEndpoint>;
  open: (url: string, onListChanged: () => void) => Upstream;
  /** Tells the user, in one line. */
  note: (line: string) => void;
  /** Milliseconds. */
  now: () => number;
};

/** Milliseconds for which what the chain says is taken for what it still says. */
const KEPT = 60_000;

/** The same when what the server lists is not what is registered: a new version may be why. */
const KEPT_DRIFTED = 3_000;

/** Milliseconds for which a service is trusted while the chain can't be asked about it. */
const TRUSTED = 3_600_000;

/** Something by its kind and name, as a client asks for it. */
type Wanted = { kind: "tool" | "prompt" | "resource" | "resource template"; name: string };

/** What a handler is told of the request that it answers. */
type Context = Pick<ServerContext["mcpReq"], "_meta" | "signal" | "notify">;

export type Guard = {
  /** Serves clients once it is connected to a transport. */
  server: Server;
  close(): Promise<void>;
};

/**
 * An MCP server that stands before another one, and shows of it what its publisher has registered. Before each answer
 * the lists of the other one are read anew and compared, since no server has to say that they changed. A server that asks
 * its client for something is not heard.
 *
 * What is called answers as it likes: that a tool is described as it was signed does not make it safe.
 *
 * @throws {NotVerifiedError} when the service does not pass its facts, and whatever reaching its server throws.
 */
export async function createGuard(options: GuardOptions): Promise<Guard> {
  const { did, onDrift, onNewVersion, read, open, note, now } = options;
  let server: Server | undefined;
  let registered = await read();
  let checkedAt = now();
  let verifiedAt = checkedAt;
  let distrust: AppRegistryError | undefined;
  let askedFor: string | undefined;
  let told = "";
  let upstream = open(registered.url, tell);

  /** Has the client read the lists again. */
  function tell(): void {
    for (const list of ["Tool", "Resource", "Prompt"] as const)
      void server?.[`send${list}ListChanged`]().catch(() => undefined);
  }

  /** Reads what the server lists, and compares it; a difference is told once. */
  async function look(): Promise<Offer> {
    const offer = offerOf(registered.entry, await upstream.list(), onDrift);
    const lines = offer.differences.flatMap(({ kind, name, reason, diff }) => [
      `  ${kind} ${printable(name)} ${reason}`,
      ...diff.map((line) => `    ${printable(line, 400)}`),
    ]);
    const drift = lines.join("\n");
    if (drift !== told && onDrift !== "allow") {
      const what = onDrift === "block" ? "Blocked from" : "Not as registered, from";
      note(
        drift === ""
          ? `${did} matches the registered version again.`
          : `${what} ${did} ${registered.version}:`,
      );
      lines.forEach(note);
    }
    told = drift;
    return offer;
  }

  /** Verifies the service again when that was a while ago, and takes over what is registered now. */
  async function recheck(kept: number): Promise<void> {
    if (now() - checkedAt < kept) return;
    checkedAt = now();
    try {
      const current = await read();
      verifiedAt = now();
      distrust = undefined;
      if (current.version === registered.version) return;
      if (onNewVersion === "adopt") await adopt(current);
      else void ask(current);
    } catch (thrown) {
      const error = toAppRegistryError(thrown);
      if (error.retryable && now() - verifiedAt <= TRUSTED) return;
      if (!distrust) note(error.shortMessage);
      distrust = error;
    }
  }

  /** Asks the user whether a version may be used, once. */
  async function ask(current: RegisteredEndpoint): Promise<void> {
    if (askedFor === current.version) return;
    askedFor = current.version;
    const message = `${did} has registered version ${current.version}; this session uses ${registered.version}. Switch to ${current.version}?`;
    const requestedSchema = { type: "object", properties: {} } as const;
    // A client that can't ask its user refuses at once.
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
      upstream = open(current.url, tell);
    }
    registered = current;
    note(`Now using version ${current.version} of ${did}.`);
    tell();
  }

  /** What the server lists now and may be shown. @throws {ProtocolError} while the service is not to be trusted */
  async function offered(): Promise<Offer> {
    await recheck(KEPT);
    const offer = await listed(look);
    const before = registered;
    if (offer.differences.length > 0) await recheck(KEPT_DRIFTED);
    if (distrust) throw new ProtocolError(ProtocolErrorCode.InternalError, distrust.shortMessage);
    return registered === before ? offer : listed(look);
  }

  /** Throws if what a request is about is not offered now. */
  async function check({ kind, name }: Wanted): Promise<void> {
    const offer = await offered();
    // Resources need not be listed, and only a registered template can say which others there are.
    if (isOffered(offer, { kind, name }) || (onDrift !== "block" && kind === "resource")) return;
    const different = offer.differences.filter((one) => one.kind === kind && one.name === name);
    const reason = different[0]?.reason ?? "is not registered";
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `The ${kind} ${printable(name)} of ${did} is blocked: it ${reason} (version ${registered.version}).`,
      { withheld: different },
    );
  }

  /** Forwards a request if what it is about is offered. */
  async function pass<Result>(
    method: Method,
    { _meta: _, ...params }: Record<string, unknown>,
    wanted: Wanted,
    { signal, notify, _meta }: Context,
  ): Promise<Result> {
    await check(wanted);
    const progressToken = _meta?.progressToken;
    return upstream
      .ask<Result>(method, params, () => check(wanted), {
        signal,
        ...(progressToken !== undefined && {
          onprogress: ({ progress, total }) =>
            void notify({
              method: "notifications/progress",
              params: { progressToken, progress, ...(total !== undefined && { total }) },
            }),
        }),
      })
      .catch((error) => {
        throw withoutData(error);
      });
  }

  const { instructions } = await look().catch(async (error) => {
    await upstream.close();
    throw error;
  });
  server = new Server(
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
  const lists = async () => (await offered()).lists as unknown as Lists;
  server.setRequestHandler("tools/list", async () => ({ tools: (await lists()).tools }));
  server.setRequestHandler("resources/list", async () => ({ resources: (await lists()).resources }));
  server.setRequestHandler("resources/templates/list", async () => ({
    resourceTemplates: (await lists()).resourceTemplates,
  }));
  server.setRequestHandler("prompts/list", async () => ({ prompts: (await lists()).prompts }));
  server.setRequestHandler("tools/call", ({ method, params }, { mcpReq }) =>
    pass(method, params, { kind: "tool", name: params.name }, mcpReq),
  );
  server.setRequestHandler("prompts/get", ({ method, params }, { mcpReq }) =>
    pass(method, params, { kind: "prompt", name: params.name }, mcpReq),
  );
  server.setRequestHandler("resources/read", ({ method, params }, { mcpReq }) =>
    pass(method, params, { kind: "resource", name: params.uri }, mcpReq),
  );
  server.setRequestHandler("completion/complete", ({ method, params }, { mcpReq }) => {
    const { ref } = params;
    const [kind, name] =
      ref.type === "ref/prompt" ? (["prompt", ref.name] as const) : (["resource template", ref.uri] as const);
    return pass(method, params, { kind, name }, mcpReq);
  });
  return { server, close: () => upstream.close() };
}

type Lists = {
  tools: Tool[];
  resources: Resource[];
  resourceTemplates: ResourceTemplateType[];
  prompts: Prompt[];
};

/** A server's refusal of a call without its data, which could ask the user to open a page. */
function withoutData(error: unknown): unknown {
  if (!(error instanceof ProtocolError)) return error;
  const isAsking = error.code === ProtocolErrorCode.UrlElicitationRequired;
  const code = isAsking ? ProtocolErrorCode.InternalError : error.code;
  return new ProtocolError(code, printable(error.message, 1_000));
}

/** The lists of a service, or an error without a word of the server's. */
async function listed(look: () => Promise<Offer>): Promise<Offer> {
  try {
    return await look();
  } catch (error) {
    const reason = guardedFetchErrorIn(error)?.shortMessage ?? "It doesn't list its tools.";
    throw new ProtocolError(ProtocolErrorCode.InternalError, `Couldn't reach the service. ${reason}`);
  }
}

function isOffered({ lists }: Offer, { kind, name }: Wanted): boolean {
  const has = (list: McpList, key: string) => lists[list].some((element) => element[key] === name);
  if (kind === "tool") return has("tools", "name");
  if (kind === "prompt") return has("prompts", "name");
  if (kind === "resource template") return has("resourceTemplates", "uriTemplate");
  return (
    has("resources", "uri") ||
    lists.resourceTemplates.some(
      ({ uriTemplate }) => new UriTemplate(String(uriTemplate)).match(name) !== null,
    )
  );
}
