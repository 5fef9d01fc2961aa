import { RecordedDocumentError } from "@app-registry/outbound";
import {
  chooseService,
  findServices,
  type Lookup,
  LookupError,
  listAddresses,
  normalizeAddress,
  type Subject,
} from "@app-registry/sdk";
import { listSubjectAddresses } from "@app-registry/sdk/internal";
import { type Connection, type Service, UsageError } from "./connection.ts";
import { readRegisteredService } from "./guard/registered.ts";

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
