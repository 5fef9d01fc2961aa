import {
  connectMcp,
  createOriginFetch,
  httpStatusOf,
  type McpLists,
  readMcpLists,
} from "@app-registry/outbound/internal";

type Client = Awaited<ReturnType<typeof connectMcp>>["client"];
type AskOptions = NonNullable<Parameters<Client["request"]>[2]>;

/** What is handed on as it is. */
export type Method = "tools/call" | "resources/read" | "prompts/get" | "completion/complete";

/** An MCP server, with which a session is opened whenever one is needed. */
export type Upstream = {
  /** Reads all its lists to their last pages, anew each time, and its instructions. */
  list(): Promise<McpLists>;
  /** Asks for anything else; the answer is as it comes. */
  ask<Result>(method: Method, params: Record<string, unknown>, options: AskOptions): Promise<Result>;
  close(): Promise<void>;
};

/** Milliseconds for a call; clients have their own, shorter limits. */
const LONGEST_CALL = 3_600_000;

/** HTTP statuses of a server that doesn't know the session (any more), and thus did nothing. */
const forgotten = [400, 404];

/**
 * Reaches a server at its own origin only.
 *
 * @param options.headers Sent with every request, such as the user's `Authorization`.
 * @param options.onListChanged Told when the server says that a list changed, which it need not say.
 */
export function createUpstream(
  url: string,
  options: { headers: Record<string, string>; allowLoopback: boolean; onListChanged: () => void },
): Upstream {
  const { onListChanged, ...own } = options;
  const origin = createOriginFetch(url, { ...own, userAgent: "app-registry-connect/0.1" });
  let session: Promise<Client> | undefined;

  async function open(): Promise<Client> {
    const { client } = await connectMcp(new URL(url), { fetch: origin.fetch });
    for (const list of ["tools", "resources", "prompts"] as const)
      client.setNotificationHandler(`notifications/${list}/list_changed`, onListChanged);
    return client;
  }

  /** Works in the session, or in a new one when the server has forgotten it. */
  async function withSession<Result>(work: (client: Client) => Promise<Result>, tries = 2): Promise<Result> {
    session ??= open();
    const used = session;
    const client = await used.catch((error) => {
      if (session === used) session = undefined;
      throw error;
    });
    try {
      return await work(client);
    } catch (error) {
      const isOver = client.transport === undefined || forgotten.includes(httpStatusOf(error) ?? 0);
      if (isOver && session === used) {
        session = undefined;
        await client.close();
      }
      if (!isOver || tries === 1 || httpStatusOf(error) === undefined) throw error;
      return withSession(work, tries - 1);
    }
  }

  return {
    list: () => withSession(readMcpLists),
    ask: <Result>(method: Method, params: Record<string, unknown>, asked: AskOptions) =>
      withSession(
        async (client) =>
          (await client.request({ method, params }, { timeout: LONGEST_CALL, ...asked })) as Result,
      ),
    async close() {
      await session?.then((client) => client.close()).catch(() => undefined);
      await origin.close();
    },
  };
}
