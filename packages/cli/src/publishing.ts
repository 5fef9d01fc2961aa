import { type Connection, ExitCode, UsageError, withTimeout } from "@app-registry/mcp";
import { readRecordedDocument } from "@app-registry/outbound";
import {
  type AppStatus,
  appPath,
  appStatusLabels,
  type CapabilityChange,
  ContentNotAttestedError,
  ContractRevertError,
  createPublication,
  formatVersion,
  getStage,
  type JsonValue,
  nextVersions,
  type Operation,
  type PublicationPlan,
  type PublicationRequest,
  parseJsonStrict,
  parseVersion,
  planPublication,
  preparePublication,
  proposeVersion,
  raiseVersion,
  readRegisteredDid,
  toAppRegistryError,
  type Version,
} from "@app-registry/sdk";
import { inferInterfaces, undefinedIfNotRegistered } from "@app-registry/sdk/internal";
import {
  callLines,
  describeCall,
  previewCall,
  previewLines,
  runWithConfirmation,
  type Sender,
  sentLines,
  toMinedCall,
} from "./sending.ts";
import { confirmReactivation, type Outcome } from "./terminal.ts";

/**
 * Reads the document of a registered version, which matches the record's dataHash.
 *
 * @throws {DocumentUnavailableError} if no copy matches.
 */
export const readVersionDocument = (connection: Connection, did: string, version: Version) =>
  withTimeout(connection, async () => {
    const { client, guardedFetch } = connection;
    const record = await client.getVersionRecord({ did, version });
    const { canonical, source } = await readRecordedDocument({ client, guardedFetch, record });
    return { canonical, source, dataHash: record.dataHash };
  });

/** Version that a document asks for, and its changes to the latest registered version. */
export type Proposal = {
  /** Latest registered version; `undefined` for a DID without a record. */
  current?: Version | undefined;
  version: Version;
  /** Part of the version that the changes raise; `undefined` without a change or a record. */
  part?: "major" | "minor" | "patch" | undefined;
  changes: CapabilityChange[];
  interfaces: number;
  /** Metadata of the latest registered version. */
  before?: JsonValue | undefined;
};

/**
 * Compares a document with the latest registered version of a DID, or of one of its majors, and returns the version to publish it as: 1.0.0 for
 * the first one, and the registered version if nothing changed.
 *
 * @throws {UsageError} if no version is left.
 * @throws {DocumentUnavailableError} if the registered document can't be read.
 */
export async function proposePublication(
  connection: Connection,
  {
    did,
    metadata,
    interfaces: chosen,
    major: wanted,
  }: { did: string; metadata: string; interfaces?: number | undefined; major?: number | undefined },
): Promise<Proposal> {
  const { client } = connection;
  const after = parseJsonStrict(metadata);
  const { record, latestMajor } = await withTimeout(connection, async () => {
    const major = wanted ?? (await undefinedIfNotRegistered(client.latestMajor(did)));
    return major === undefined
      ? { record: undefined, latestMajor: undefined }
      : readRegisteredDid(client, { did, major });
  });
  const interfaces = chosen ?? record?.interfaces ?? inferInterfaces(after, did);
  if (!record || latestMajor === undefined) {
    return { version: { major: 1, minor: 0, patch: 0 }, changes: [], interfaces };
  }
  const current = record.version;
  const { canonical } = await readVersionDocument(connection, did, current);
  const before = parseJsonStrict(canonical);
  const proposal = proposeVersion(
    { metadata: before, interfaces: record.interfaces },
    { metadata: after, interfaces },
  );
  if (!proposal) return { current, version: current, changes: [], interfaces, before };
  const version = raiseVersion(nextVersions(record, latestMajor), proposal.part);
  if (version) return { current, version, ...proposal, interfaces, before };
  throw new UsageError("There is no higher version left for this service.", "Publish it under another DID.");
}

/** Publishes a version: proves control if needed, sends the transaction, and has the document attested. */
export async function publish(
  connection: Connection,
  sender: Sender,
  request: PublicationRequest,
): Promise<Outcome> {
  if (sender.dryRun) return previewPublication(connection, sender, request);
  const stages = ["plan", "control", "simulate", "sign", "receipt", "status", "content"] as const;
  const hidden = await findHiddenStatus(connection, request);
  const reactivates = hidden !== undefined && (await confirmReactivation(sender, hidden));
  const wanted = reactivates ? { ...request, status: ACTIVE } : request;
  const begun = createPublication(wanted, sender.address, stages);
  const { operation, failure } = await runWithConfirmation(connection, sender, begun);
  const { plan } = operation;
  const isSet = (getStage(operation, "status")?.state ?? "done") === "done";
  if (!plan || getStage(operation, "receipt")?.state !== "done" || !isSet) throw failure;
  const { action, name, json } = describePlan(plan);
  const sent = toMinedCall(operation);
  const published: Outcome = sent
    ? {
        json: { status: "published", action, ...json, ...sent },
        lines: [`Published ${name}.`, ...sentLines(sent)],
      }
    : createAlreadyPublishedOutcome(plan);
  const told = withStatus(withPage(published, connection, plan), wanted, reactivates ? undefined : hidden);
  return withAttestation(connection, operation, plan, told, failure);
}

/** Adds the URL of the version's page in the registry's web app, if known. */
function withPage({ json, lines, ...rest }: Outcome, { appUrl }: Connection, plan: PublicationPlan): Outcome {
  if (appUrl === undefined) return { json, lines, ...rest };
  const { did, version } = plan.parameters;
  const page = new URL(appPath(did, version), appUrl).href;
  return { json: { ...json, page }, lines: [...lines, `Its page: ${page}`], ...rest };
}

const ACTIVE: AppStatus = 0;

/** Returns the status of the record if search omits it and the publication does not set another one. */
async function findHiddenStatus(
  connection: Connection,
  { did, version, status }: PublicationRequest,
): Promise<AppStatus | undefined> {
  if (status !== undefined) return undefined;
  const { client } = connection;
  const { major } = parseVersion(version);
  const summary = await withTimeout(connection, () =>
    undefinedIfNotRegistered(client.getAppSummary({ did, major })),
  );
  return summary?.status === ACTIVE ? undefined : summary?.status;
}

/** Adds the status of the record, and a hint to reactivate one that search omits. */
function withStatus(
  { json, lines, ...rest }: Outcome,
  { did, status }: PublicationRequest,
  hidden: AppStatus | undefined,
): Outcome {
  const stands = status ?? hidden;
  if (stands === undefined) return { json, lines, ...rest };
  const line =
    hidden === undefined
      ? `Status: ${appStatusLabels[stands]}.`
      : `It is ${appStatusLabels[stands]}, so it's hidden from search by default. To set it to Active, use --reactivate or run: app-registry status ${did} active`;
  return { json: { ...json, recordStatus: appStatusLabels[stands] }, lines: [...lines, line], ...rest };
}

function describePlan({ action, parameters }: PublicationPlan) {
  const { did, dataHash, dataUrl, interfaces } = parameters;
  const version = formatVersion(parameters.version);
  return { action, name: `${did} ${version}`, json: { did, version, dataHash, dataUrl, interfaces } };
}

function createAlreadyPublishedOutcome(plan: PublicationPlan): Outcome {
  const { name, json } = describePlan(plan);
  return {
    json: { status: "already-published", ...json },
    lines: [`${name} is already published with this content.`],
  };
}

/** Adds the result of attesting the document. The record is published even if the attestation fails. */
async function withAttestation(
  connection: Connection,
  { did }: Operation,
  { parameters: { dataHash } }: PublicationPlan,
  { json, lines }: Outcome,
  failure: unknown,
): Promise<Outcome> {
  if (failure === undefined) {
    const attested = await withTimeout(connection, () =>
      connection.client.checkDataHashAttestation({ did, dataHash }),
    );
    const line = attested
      ? "The dataHash is attested."
      : "The dataHash is not attested: no registry web service is configured.";
    return { json: { ...json, attested }, lines: [...lines, line] };
  }
  const error = toAppRegistryError(failure);
  const code = error instanceof ContentNotAttestedError ? error.answer.code : error.name;
  return {
    json: { ...json, attested: false, attestation: { code, detail: error.shortMessage } },
    lines: [
      ...lines,
      `Published, but the dataHash is not attested: ${error.shortMessage}`,
      "Run publish again to get it attested.",
    ],
    exitCode: error.retryable ? ExitCode.unknown : ExitCode.failed,
  };
}

/** Shows the effect and the cost of publishing. Sends nothing. */
async function previewPublication(
  connection: Connection,
  { address }: Sender,
  request: PublicationRequest,
): Promise<Outcome> {
  const { client, appUrl: baseUrl } = connection;
  const version = parseVersion(request.version);
  const plan = await withTimeout(connection, () => planPublication({ ...request, client, baseUrl, version }));
  if (plan.action === "none") return createAlreadyPublishedOutcome(plan);
  const { json } = describePlan(plan);
  const { did } = json;
  const call = preparePublication(client, plan);
  const controlled = await withTimeout(connection, () => client.checkDid({ did, controller: address }));
  try {
    const preview = await previewCall(connection, call, address);
    return { json: { status: "dry-run", ...json, controlled, call: preview }, lines: previewLines(preview) };
  } catch (error) {
    if (controlled || !(error instanceof ContractRevertError)) throw error;
    // Omit the gas: the registry reverts for accounts that do not control the DID, so it can't be estimated.
    const preview = { ...describeCall(connection, call), from: address, gas: null };
    const wait = `${address} is not a current controller of ${did} yet. Publishing proves control first.`;
    const lines = [preview.sentence, ...preview.details, wait, "", ...callLines(preview)];
    return { json: { status: "dry-run", ...json, controlled, call: preview }, lines };
  }
}
