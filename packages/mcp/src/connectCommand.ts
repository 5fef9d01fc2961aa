import type { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { RecordedDocumentError } from "@app-registry/outbound";
import { getSite } from "@app-registry/outbound/site";
import {
  chooseService,
  createLiveReader,
  findServices,
  type Lookup,
  LookupError,
  listAddresses,
  normalizeAddress,
  parseSubject,
  type Subject,
  searchApps,
  searchChain,
  verifyApp,
} from "@app-registry/sdk";
import { chainFactNames, listSubjectAddresses } from "@app-registry/sdk/internal";
import { type Command, Option } from "@commander-js/extra-typings";
import type { McpServerFactory } from "@modelcontextprotocol/server";
import { type Connection, type RootOptions, type Service, UsageError } from "./connection.ts";
import { type DriftMode, driftModes } from "./guard/allowedCapabilities.ts";
import { createGuard, type VersionMode, versionModes } from "./guard/guard.ts";
import { type RequiredFact, readRegisteredService, readVerifiedEndpoint } from "./guard/registered.ts";
import { createUpstream } from "./guard/upstream.ts";
import type { RegistryReaders } from "./registryServer.ts";

/**
 * Finds the service that a person names by a DID, or by an address, which the registry's web service looks up. Checks
 * that the registered document lists the address, so that a lookup can't name another service.
 *
 * @throws {LookupError} if no service proves the address, or several do.
 * @throws {UsageError} for an address without a web service.
 */
export async function findService(
  connection: Pick<Connection, "appUrl" | "client" | "timeoutMs" | "guardedFetch">,
  subject: Subject,
): Promise<Service> {
  if (subject.kind === "did") return { did: subject.did, version: subject.version };
  const { appUrl: baseUrl, timeoutMs } = connection;
  if (baseUrl === undefined) {
    throw new UsageError(
      "Looking up an address requires the registry's web service.",
      "Pass --registry <url>, or name the service by its DID.",
    );
  }
  return confirmService(
    connection,
    subject,
    await findServices({ baseUrl, timeoutMs, subject: subject.text }),
  );
}

/**
 * Returns the one service of a lookup's answer after its document was found to list the address.
 *
 * @throws {LookupError} as `findService`.
 */
export async function confirmService(
  connection: Parameters<typeof findService>[0],
  subject: Subject,
  found: Lookup,
): Promise<Service> {
  const service = chooseService(found);
  if (subject.kind === "url" || (subject.kind === "domain" && subject.did !== service.did)) {
    await refuseUnlisted(connection, service, subject);
  }
  return service;
}

async function refuseUnlisted(
  connection: Parameters<typeof findService>[0],
  service: Service,
  subject: Subject,
): Promise<void> {
  const metadata = await readRegisteredService(connection, service).then(
    (found) => found.metadata,
    (error: unknown) => {
      // Then the facts about the service don't pass either.
      if (error instanceof RecordedDocumentError) return undefined;
      throw error;
    },
  );
  if (metadata === undefined) return;
  const listed = listAddresses(service.did, metadata).map(({ url }) => normalizeAddress(url));
  if (listSubjectAddresses(subject).some((address) => listed.includes(address))) return;
  throw new LookupError(
    "not-registered",
    `The registry's web service named ${JSON.stringify(service.did)} for this address, but its document doesn't list it.`,
    "Don't trust this web service.",
  );
}

const helpText = (command: string) => `
Runs as an MCP server on standard input and output. It exposes only what the publisher has registered and the server still lists unchanged. Differences are written to standard error.
--header values can contain environment variables, for example 'Authorization: Bearer {TOKEN}'.

Examples:
  $ ${command} https://example.com/mcp --registry https://registry.example.com
  $ ${command} did:web:example.com
  $ ${command} did:web:example.com@1.0.0 --header 'Authorization: Bearer {TOKEN}'`;

type GuardOptions = {
  onDrift: DriftMode;
  onNewVersion: VersionMode;
  without: RequiredFact[];
  header: Record<string, string>;
};

/** Adds the description, argument and options of `connect` to a command. */
export function defineConnect(command: Command<[], Record<never, never>, RootOptions>) {
  return command
    .description("connect an MCP client to a registered server and block anything that isn't registered")
    .argument("<service>", "its address or DID, with @<version> to pin a DID's version", parseSubject)
    .addOption(
      new Option("--on-drift <mode>", "what to do with unregistered or changed items: block, warn or allow")
        .choices(driftModes)
        .default("block" as const),
    )
    .addOption(
      new Option("--on-new-version <mode>", "what to do when a new version is registered: adopt it or ask")
        .choices(versionModes)
        .default("adopt" as const),
    )
    .option("--without <facts>", "facts that may fail or be unknown, separated by commas", parseFacts, [])
    .option("--header <line>", "HTTP header to send, such as Authorization (repeatable)", parseHeader, {})
    .addHelpText("after", ({ command: { parent } }) => helpText(`${parent?.name()} connect`));
}

/**
 * Serves MCP on standard input and output, or other streams, until the client leaves or the process is told to stop.
 *
 * @param note Writes a line for the user.
 * @throws {NotVerifiedError} if a fact of the service does not pass
 */
export async function runGuard(
  connection: Connection,
  subject: Subject,
  { onDrift, onNewVersion, without, header }: GuardOptions,
  note: (line: string) => void,
  streams: Streams = process,
): Promise<void> {
  const service = await findService(connection, subject);
  const { serve, close } = await createGuard({
    did: service.did,
    onDrift,
    onNewVersion,
    read: () => readVerifiedEndpoint(connection, service, without),
    open: (url, events) =>
      createUpstream(url, { headers: header, allowLoopback: connection.local, ...events }),
    note,
    now: () => performance.now(),
  });
  await runStdio(serve, streams, () => note(`Connected to ${service.did}.`));
  await Promise.race([close(), sleep(1_000, undefined, { ref: false })]);
}

/** Serves the registry's own tools on standard input and output, until the client leaves or the process is told to stop. */
export async function runRegistryServer(connection: Connection, note: (line: string) => void): Promise<void> {
  const { createRegistryServer } = await import("./registryServer.ts");
  const { client, appUrl, packages, timeoutMs, fetchDocument } = connection;
  const readers: RegistryReaders = {
    registryUrl: appUrl,
    guardCommand:
      packages?.mcp === undefined ? [process.execPath, process.argv[1] ?? ""] : ["npx", "-y", packages.mcp],
    search: (query) =>
      appUrl === undefined
        ? searchChain({ client, ...query })
        : searchApps({ baseUrl: appUrl, timeoutMs, ...query }),
    verify: (service) =>
      verifyApp({
        ...{ client, timeoutMs, fetchDocument, siteOf: getSite, ...service },
        readLive: appUrl === undefined ? undefined : createLiveReader({ baseUrl: appUrl, timeoutMs }),
      }),
    read: (service) => readRegisteredService(connection, service),
    find: (text) => findService(connection, parseSubject(text)),
  };
  const serve = () => createRegistryServer(readers);
  await runStdio(serve, process, () => note("Serving the registry's tools."));
}

/** Maximum size of a message of a client, in bytes. A larger one ends the connection. */
const MAX_MESSAGE = 64 * 1024 * 1024;

type Streams = { stdin: Readable; stdout: Writable };

async function runStdio(
  serve: McpServerFactory,
  { stdin, stdout }: Streams,
  onReady: () => void,
): Promise<void> {
  const { serveStdio, StdioServerTransport } = await import("@modelcontextprotocol/server/stdio");
  const transport = new StdioServerTransport(stdin, stdout, { maxBufferSize: MAX_MESSAGE });
  const served = serveStdio(serve, { transport });
  const { onclose } = transport;
  await new Promise<void>((resolve) => {
    transport.onclose = () => {
      onclose?.();
      resolve();
    };
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
    onReady();
  });
  await served.close();
}

function parseFacts(text: string): RequiredFact[] {
  return text.split(",").map((name) => {
    const fact = chainFactNames.find((one) => one === name.trim());
    if (fact) return fact;
    throw new UsageError(`"${name}" is not a fact.`, `Use one or more of ${chainFactNames.join(", ")}.`);
  });
}

/** Headers that the guard or HTTP itself sets. */
const ownHeaders =
  /^(?:accept|cdn-loop|connection|content-(?:length|type)|expect|host|keep-alive|last-event-id|mcp-.*|te|trailer|transfer-encoding|upgrade|user-agent)$/;

/**
 * Parses `Name: value` and replaces `{VARIABLE}` by environment variables. The message of an error never contains the
 * value.
 *
 * @throws {UsageError} for another form, and for a header that can't be sent.
 */
export function parseHeader(line: string, before: Record<string, string> = {}): Record<string, string> {
  const [, given = "", template = ""] = /^([\w!#$%&'*+.^`|~-]+):(.*)$/s.exec(line) ?? [];
  if (given === "") throw new UsageError("--header must have the form Name: value.");
  const name = given.toLowerCase();
  if (ownHeaders.test(name))
    throw new UsageError(`--header can't set ${given}, which the guard sets itself.`);
  // `${VARIABLE}` has the same meaning, but some clients replace it before they start the guard.
  const value = template.replace(/\$?\{(\w+)\}/g, (_, variable: string) => {
    const found = process.env[variable];
    if (found) return found;
    throw new UsageError(`--header uses ${variable}, which is ${found === "" ? "empty" : "not set"}.`);
  });
  // HTTP allows visible ASCII, spaces, tabs and bytes from 0x80.
  if (!/^[\t\x20-\x7e\x80-\xff]+$/.test(value.trim()))
    throw new UsageError(
      `--header ${given} has no value, or one with line breaks or characters that HTTP can't send.`,
    );
  return { ...before, [name]: value.trim() };
}
