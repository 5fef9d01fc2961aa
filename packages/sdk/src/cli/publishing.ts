import { AppRegistryError } from "../errors/appRegistryError.ts";
import { toAppRegistryError } from "../errors/toAppRegistryError.ts";
import type { PublicationPlan } from "../publish/planPublication.ts";
import { type AttestationAnswer, requestAttestation } from "../publish/requestAttestation.ts";
import { formatVersion } from "../version.ts";
import { type Connection, inTime } from "./connection.ts";
import { ExitCode } from "./exitCodes.ts";
import { callLines, describeCall, previewLines, type Sender, sendOrPreview, sentLines } from "./sending.ts";
import { type Outcome, time } from "./terminal.ts";

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
  if (!counts && sender.dryRun) {
    // The registry refuses whoever does not count, so there is no gas to show yet.
    const preview = { ...describeCall(connection, call), from: sender.address, gas: null };
    const wait = `${sender.address} does not count as a controller of ${did} yet: publishing proves that first.`;
    const lines = [preview.sentence, ...preview.details, wait, "", ...callLines(preview)];
    return { json: { status: "dry-run", ...json, controlled: false, call: preview }, lines };
  }
  if (!counts) await proveControl(connection, sender, did);
  const { preview, sent } = await sendOrPreview(connection, sender, call);
  if (!sent) {
    return {
      json: { status: "dry-run", ...json, controlled: true, call: preview },
      lines: previewLines(preview),
    };
  }
  const published = {
    json: { status: "published", action: plan.action, ...json, ...sent },
    lines: [`Published ${name}.`, ...sentLines(sent)],
  };
  return attestContent(connection, sender, plan, published);
}

/** Control of the DID could not be shown; `publish` of the answer is the did.json that would show it. */
class ControlNotShownError extends AppRegistryError {
  override readonly name = "ControlNotShownError";
  readonly code: string | undefined;

  constructor(
    message: string,
    options: { action?: string | undefined; retryable?: boolean; code?: string | undefined },
  ) {
    super(message, { ...options, docsPath: "/control" });
    this.code = options.code;
  }
}

async function proveControl({ appUrl }: Connection, sender: Sender, did: string): Promise<void> {
  const { address, terminal } = sender;
  if (appUrl === undefined) {
    throw new ControlNotShownError(`${address} does not count as a controller of ${did}.`, {
      action:
        "Name the registry's web service with --registry, whose issuer checks it, or ask an issuer to attest it.",
    });
  }
  terminal.note(`Asking ${appUrl} to check that ${address} controls ${did}`);
  const answer = await requestAttestation({
    baseUrl: appUrl,
    did,
    connectedAddress: address,
    requiredSchemas: ["did-ownership"],
  });
  if (answer.ok) return;
  throw controlError(answer, address, did);
}

function controlError(answer: AttestationAnswer, address: string, did: string): ControlNotShownError {
  const { status, code, countsFrom, publish, retryable } = answer;
  if (status === "waiting") {
    const from = countsFrom === undefined ? "" : ` from ${time(countsFrom)}`;
    return new ControlNotShownError(
      `Another account controls ${did}; ${address} is a newcomer who counts${from}.`,
      {
        action: "Wait until then, or have a controller vouch for it: app-registry vouch.",
        code: status,
      },
    );
  }
  const action = publish
    ? `Serve this at ${publish.url}, then publish again:\n${publish.text}`
    : retryable
      ? "Try again in a moment; it is safe to repeat."
      : "Mend what it says, then publish again.";
  const why = answer.detail ?? answer.title ?? `The issuer answered ${status}.`;
  return new ControlNotShownError(why, { action, retryable, code: code ?? status });
}

/** Has the issuer of the registry's web service attest the document, unless somebody did. */
async function attestContent(
  connection: Connection,
  { address, terminal }: Sender,
  { parameters: { did, version, dataHash } }: PublicationPlan,
  published: Outcome,
): Promise<Outcome> {
  const { appUrl, client } = connection;
  const attested = await inTime(connection, () => client.checkDataHashAttestation({ did, dataHash }));
  if (attested || appUrl === undefined) {
    const line = attested
      ? "Its dataHash is attested."
      : "Its dataHash is not attested: no web service is named.";
    return { json: { ...published.json, attested }, lines: [...published.lines, line] };
  }
  terminal.note(`Asking ${appUrl} to attest the document`);
  const answer = await requestAttestation({
    baseUrl: appUrl,
    did,
    connectedAddress: address,
    requiredSchemas: ["data-hash"],
    major: version.major,
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
