import { ContractRevertError } from "../errors/contractRevertError.ts";
import { toAppRegistryError } from "../errors/toAppRegistryError.ts";
import { ensureControl } from "../publish/ensureControl.ts";
import { obtainAttestation } from "../publish/obtainAttestation.ts";
import type { PublicationPlan } from "../publish/planPublication.ts";
import { formatVersion } from "../version.ts";
import { type Connection, inTime } from "./connection.ts";
import { ExitCode } from "./exitCodes.ts";
import {
  callLines,
  describeCall,
  previewLines,
  type Sender,
  type Sent,
  sendOrPreview,
  sentLines,
} from "./sending.ts";
import type { Outcome } from "./terminal.ts";

/** Carries out a plan: proves control where that is needed, sends, and has the document attested. */
export async function publishPlan(
  connection: Connection,
  sender: Sender,
  plan: PublicationPlan,
): Promise<Outcome> {
  const { did, version, dataHash, dataUrl, interfaces } = plan.parameters;
  const name = `${did} ${formatVersion(version)}`;
  const json = { did, version: formatVersion(version), dataHash, dataUrl, interfaces };
  if (plan.action === "none") {
    const lines = [`${name} is already published with this content.`];
    const published = { json: { status: "already-published", ...json }, lines };
    return sender.dryRun ? published : attestContent(connection, sender, plan, published);
  }
  const { client } = connection;
  const call =
    plan.action === "mint"
      ? client.prepareMint(plan.parameters)
      : client.prepareUpdateAppControlled(plan.parameters);
  const counts = await inTime(connection, () => client.checkDid({ did, controller: sender.address }));
  if (!counts && !sender.dryRun) await proveControl(connection, sender, plan);
  try {
    const { preview, sent } = await sendOrPreview(connection, sender, call);
    return sent
      ? await attestContent(connection, sender, plan, publishedOutcome(plan, name, json, sent))
      : {
          json: { status: "dry-run", ...json, controlled: counts, call: preview },
          lines: previewLines(preview),
        };
  } catch (error) {
    if (counts || !sender.dryRun || !(error instanceof ContractRevertError)) throw error;
    // The registry refuses whoever does not count, so there is no gas to show yet.
    const preview = { ...describeCall(connection, call), from: sender.address, gas: null };
    const wait = `${sender.address} does not count as a controller of ${did} yet: publishing proves that first.`;
    const lines = [preview.sentence, ...preview.details, wait, "", ...callLines(preview)];
    return { json: { status: "dry-run", ...json, controlled: false, call: preview }, lines };
  }
}

const publishedOutcome = (
  { action }: PublicationPlan,
  name: string,
  json: Record<string, unknown>,
  sent: Sent,
): Outcome => ({
  json: { status: "published", action, ...json, ...sent },
  lines: [`Published ${name}.`, ...sentLines(sent)],
});

async function proveControl(
  connection: Connection,
  sender: Sender,
  { parameters: { did, version } }: PublicationPlan,
): Promise<void> {
  const { appUrl, client } = connection;
  const { address, terminal, signMessage } = sender;
  if (appUrl !== undefined) terminal.note(`Asking ${appUrl} to check that ${address} controls ${did}`);
  await ensureControl({
    client,
    baseUrl: appUrl,
    did,
    major: version.major,
    controller: address,
    signMessage,
    carry: (call) => sendOrPreview(connection, sender, call),
  });
}

/** Has the issuer of the registry's web service attest the document, unless somebody did. */
async function attestContent(
  connection: Connection,
  sender: Sender,
  { parameters: { did, version, dataHash } }: PublicationPlan,
  published: Outcome,
): Promise<Outcome> {
  const { appUrl, client } = connection;
  const { address, terminal, signMessage } = sender;
  const attested = await inTime(connection, () => client.checkDataHashAttestation({ did, dataHash }));
  if (attested || appUrl === undefined) {
    const line = attested
      ? "Its dataHash is attested."
      : "Its dataHash is not attested: no web service is named.";
    return { json: { ...published.json, attested }, lines: [...published.lines, line] };
  }
  terminal.note(`Asking ${appUrl} to attest the document`);
  const answer = await obtainAttestation({
    client,
    baseUrl: appUrl,
    did,
    connectedAddress: address,
    requiredSchemas: ["data-hash"],
    major: version.major,
    signMessage,
    carry: (call) => sendOrPreview(connection, sender, call),
  }).catch(unanswered);
  if (answer.ok) {
    return {
      json: { ...published.json, attested: true },
      lines: [...published.lines, "Its dataHash is attested."],
    };
  }
  const why = answer.detail ?? answer.title ?? `The issuer answered ${answer.status}.`;
  return {
    json: { ...published.json, attested: false, attestation: { code: answer.code, detail: why } },
    lines: [
      ...published.lines,
      `It is published, but its dataHash is not attested: ${why}`,
      "Publish again to have it attested.",
    ],
    exitCode: answer.retryable ? ExitCode.unknown : ExitCode.failed,
  };
}

/** The record is published, whatever became of the service meanwhile. */
const unanswered = (error: unknown) => {
  const { name, shortMessage, retryable } = toAppRegistryError(error);
  return { ok: false, code: name, status: "failed", title: undefined, detail: shortMessage, retryable };
};
