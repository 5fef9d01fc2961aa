import type { ServerResponse } from "node:http";
import {
  type McpRequest,
  type McpTestServer,
  type Offered,
  startMcpServer,
} from "@app-registry/test-kit/mcpServer";
import { Client, type ClientOptions } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { createGuard, type GuardOptions } from "../src/guard/guard.ts";
import type { RegisteredEndpoint } from "../src/guard/registered.ts";
import { createUpstream } from "../src/guard/upstream.ts";

export const send = {
  name: "send_email",
  description: "Sends an email.",
  inputSchema: { type: "object", properties: { to: { type: "string", description: "Whom to." } } },
};
export const read = {
  name: "read_inbox",
  title: "Inbox",
  description: "Reads.",
  inputSchema: { type: "object" },
};
export const manual = { uri: "docs://manual", name: "manual", description: "The manual." };
export const page = { uriTemplate: "docs://pages/{number}", name: "page" };
export const greet = { name: "greet", description: "Greets.", arguments: [{ name: "whom", required: true }] };
export const registered = {
  tools: [send, read],
  resources: [manual],
  resourceTemplates: [page],
  prompts: [greet],
  instructions: "Ask before you send.",
};

/** Text that only a hostile server sends. */
export const MARK = "EXFILTRATE";

const answers: Offered["answer"] = (method, params) => {
  if (method === "tools/call") return { content: [{ type: "text", text: `did ${params.name}` }] };
  if (method === "resources/read") return { contents: [{ uri: params.uri, text: "page" }] };
  if (method === "prompts/get") return { messages: [] };
  if (method === "completion/complete") return { completion: { values: ["1"] } };
  return undefined;
};

export const ends: (() => Promise<unknown>)[] = [];

/** Closes what a test has opened. */
export async function endAll(): Promise<void> {
  for (const end of ends.splice(0)) await end();
}

type Setup = Partial<Pick<GuardOptions, "onDrift" | "onNewVersion">> & {
  /** Elements of the server that differ from the registered ones. */
  served?: Partial<Offered>;
  headers?: Record<string, string>;
  /** Response of the user to the guard's questions. Without it, the client does not support them. */
  elicit?: (question: string) => "accept" | "decline";
  /** Options of the client. */
  client?: ClientOptions;
  /** Registered entry, by default that of `registered`. */
  entry?: object;
  /** URL of the registered endpoint, by default that of the server. */
  url?: string;
  /** Failure of the first verification. */
  failure?: Error;
  payments?: object[];
};

/** Connects an MCP client through a guard to a server. */
export async function connect(setup: Setup = {}) {
  const {
    served: changes,
    headers = {},
    elicit,
    entry = registered,
    url,
    failure,
    client: clientOptions,
    payments,
    ...modes
  } = setup;
  const service = await startMcpServer({ ...registered, answer: answers, ...changes });
  ends.push(service.close);
  const notes: string[] = [];
  let clock = 0;
  let reads = 0;
  let gate: Promise<unknown> | undefined;
  let current: RegisteredEndpoint | Error = failure ?? {
    version: "1.0.0",
    url: url ?? service.url,
    payments,
    entry: structuredClone({ name: "MCP", endpoint: service.url, ...entry }) as RegisteredEndpoint["entry"],
  };
  const guard = await createGuard({
    did: "did:web:mail.example",
    onDrift: "block",
    onNewVersion: "adopt",
    ...modes,
    read: async () => {
      reads += 1;
      await gate;
      if (current instanceof Error) throw current;
      return current;
    },
    open: (url, events) => createUpstream(url, { headers, allowLoopback: true, ...events }),
    note: (line) => void notes.push(line),
    now: () => clock,
  });
  const client = new Client(
    { name: "test", version: "1" },
    { capabilities: elicit ? { elicitation: {} } : {}, ...clientOptions },
  );
  if (elicit)
    client.setRequestHandler("elicitation/create", async ({ params }) => ({
      action: elicit(params.message),
      content: {},
    }));
  const announced: string[] = [];
  client.setNotificationHandler("notifications/tools/list_changed", () => void announced.push("tools"));
  // Record all messages to the client as text.
  let heard = "";
  const [near, far] = InMemoryTransport.createLinkedPair();
  const { send: deliver } = far;
  far.send = async (message, options) => {
    heard += `${JSON.stringify(message)}\n`;
    return deliver.call(far, message, options);
  };
  const served = serveStdio(guard.serve, { transport: far });
  await client.connect(near);
  ends.push(async () => {
    await client.close();
    await served.close();
    await guard.close();
  });
  return {
    ...{ client, guard, service, notes, changes: announced },
    heard: () => heard,
    /** Returns the number of verifications so far. */
    reads: () => reads,
    /** Makes verifications wait for a promise. */
    holdReads: (until: Promise<unknown>) => {
      gate = until;
    },
    wait: (milliseconds: number) => {
      clock += milliseconds;
    },
    /** Changes the registered endpoint, or makes reading it fail. */
    register: (change: Partial<RegisteredEndpoint> | Error) => {
      current = change instanceof Error ? change : { ...(current as RegisteredEndpoint), ...change };
    },
  };
}

/** Reads all lists without a cache. */
export async function listed(client: Client) {
  const bypass = { cacheMode: "bypass" } as const;
  const { tools } = await client.listTools(undefined, bypass);
  const { resources } = await client.listResources(undefined, bypass);
  const { resourceTemplates } = await client.listResourceTemplates(undefined, bypass);
  const { prompts } = await client.listPrompts(undefined, bypass);
  return { tools, resources, resourceTemplates, prompts };
}

export const call = (client: Client, name: string) => client.callTool({ name, arguments: {} });
export const refusal = (client: Client, name: string) =>
  call(client, name).then(
    () => undefined,
    (error: Error & { data?: unknown }) => error,
  );

export const stream = (response: ServerResponse) =>
  response.writeHead(200, { "content-type": "text/event-stream" });

/** Answers calls in full, and all other requests as usual. */
export function onCall(
  service: McpTestServer,
  answer: (request: McpRequest, response: ServerResponse) => unknown,
) {
  service.offered.raw = (request, response) => {
    if (request.method !== "tools/call") return false;
    answer(request, response);
    return true;
  };
}
