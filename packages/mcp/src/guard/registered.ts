import { readRecordedDocument } from "@app-registry/outbound";
import { printable } from "@app-registry/outbound/internal";
import { getSite } from "@app-registry/outbound/site";
import {
  AppRegistryError,
  type Fact,
  formatVersion,
  getEndpoints,
  type JsonObject,
  MCP_ENDPOINT_NAME,
  type Metadata,
  verifyApp,
} from "@app-registry/sdk";
import { chainFactNames, getLatestBlockNumber, readTarget, withTimeLimit } from "@app-registry/sdk/internal";
// The web app reads services too. Import only types: its build would copy the whole repository for the files that a
// command looks for.
import type { Connection, Service } from "../connection.ts";

/** Fact that a record has to pass. */
export type RequiredFact = (typeof chainFactNames)[number];

/** Error for a service whose required facts do not all pass. */
export class NotVerifiedError extends AppRegistryError {
  override readonly name = "NotVerifiedError";
}

/** Runs reads of the chain with the time limit of `--timeout`. @throws {TimeLimitError} if they take longer. */
export const withTimeout = <Result>(
  { timeoutMs }: { timeoutMs: number },
  run: () => Promise<Result>,
): Promise<Result> => withTimeLimit("The chain's RPC endpoint", timeoutMs, run);

/**
 * Reads the requested version of a service, or the latest one, with its document.
 *
 * @throws {RecordedDocumentError} if the document can't be read or doesn't match the record.
 */
export async function readRegisteredService(
  connection: Pick<Connection, "client" | "timeoutMs" | "guardedFetch">,
  { did, version }: Service,
) {
  const { client, guardedFetch } = connection;
  return withTimeout(connection, async () => {
    const target = await readTarget(client, did, version, await getLatestBlockNumber(client));
    const record = await client.getVersionRecord({ did, version: target.version });
    const { canonical } = await readRecordedDocument({ client, guardedFetch, record });
    return { target, metadata: JSON.parse(canonical) as Metadata };
  });
}

/** Registered MCP endpoint, and the `payments` of its document. */
export type RegisteredEndpoint = { version: string; url: string; entry: JsonObject; payments?: unknown };

/**
 * Verifies a service and returns its MCP endpoint.
 *
 * @param without Facts that may fail.
 * @throws {NotVerifiedError} if a fact does not pass (`retryable` if it is unknown), or if no MCP server is registered.
 */
export async function readVerifiedEndpoint(
  connection: Connection,
  service: Service,
  without: readonly RequiredFact[],
): Promise<RegisteredEndpoint> {
  const { target, metadata } = await readRegisteredService(connection, service);
  const { did, version } = target;
  const { client, timeoutMs, fetchDocument } = connection;
  const { facts } = await verifyApp({ client, did, version, fetchDocument, siteOf: getSite, timeoutMs });
  const missing = chainFactNames.filter((name) => facts[name].outcome !== "pass" && !without.includes(name));
  if (missing.length > 0) {
    const told = printable(missing.map((name) => `${name} ${formatFact(facts[name])}`).join(" "), 1_000);
    const retryable = missing.every((name) => facts[name].outcome === "unknown");
    const action = `Run app-registry verify ${did} for details, or use --without ${missing.join(",")} to connect anyway.`;
    throw new NotVerifiedError(`Verification of ${did} failed: ${told}`, {
      retryable,
      action,
      docsPath: "/connect",
    });
  }
  const entry = getEndpoints(metadata).find(({ name }) => name === MCP_ENDPOINT_NAME);
  if (entry?.endpoint === undefined) {
    throw new NotVerifiedError(`${did} has no registered MCP server.`, { docsPath: "/connect" });
  }
  const { payments } = metadata;
  return { version: formatVersion(version), url: entry.endpoint, entry: entry as JsonObject, payments };
}

const formatFact = ({ outcome, reason }: Fact): string =>
  `${outcome === "fail" ? "fails" : "is unknown"}: ${reason}`;
