import {
  type AppRegistryClient,
  AppRegistryError,
  type AttestationAnswer,
  messageSigner,
  parseDid,
  type RequestAttestationParameters,
  TransactionRevertedError,
  toAppRegistryError,
} from "@app-registry/sdk";
import { isAddressEqual } from "viem";
import { formatFee } from "../../wallet/chain.ts";
import type { OpenSigner } from "../../wallet/useRegistryClient.ts";
import { askIssuer } from "./askIssuer.ts";
import { attest, signingNote } from "./attest.ts";
import { controlProblem, isWait } from "./controlProblem.ts";
import { estimateCost, isPublished, sendOrder } from "./sendOrder.ts";
import { nextStage, type StageId, type Submission, type SubmissionEvent } from "./submission.ts";
import { waitUntilIndexed } from "./waitUntilIndexed.ts";

/** A stage stopped; the submission says why and continues from it. */
class Stopped extends Error {}

interface Run {
  submission: () => Submission;
  /** Reads the chain. */
  client: AppRegistryClient;
  openSigner: OpenSigner;
  report: (event: SubmissionEvent) => void;
}

/** Has the issuer attest something for the publisher; where it only signs, the publisher's wallet sends. */
function attested(
  run: Run,
  stage: "control" | "content",
  request: Pick<RequestAttestationParameters, "requiredSchemas" | "major">,
): Promise<AttestationAnswer> {
  const { client, report } = run;
  const { order, carried } = run.submission();
  const signMessage = messageSigner(() => {
    report({ type: "stage", stage, state: "working", note: signingNote(order.did) });
    return openSignerOf(run);
  }, order.account);
  const ask = () => attest({ did: order.did, connectedAddress: order.account, signMessage, ...request });
  return askIssuer(ask, {
    client,
    account: order.account,
    openSigner: () => openSignerOf(run),
    sent: carried?.[stage],
    onSent: (transactionHash) => report({ type: "carried", stage, transactionHash }),
    onNote: (note) => report({ type: "stage", stage, state: "working", note }),
  });
}

/** @throws AppRegistryError when another wallet is connected than the one that this was prepared for. */
async function openSignerOf({ openSigner, submission }: Run): Promise<AppRegistryClient> {
  const client = await openSigner();
  const signer = client.walletClient?.account?.address;
  const { account } = submission().order;
  if (signer === undefined || isAddressEqual(signer, account)) return client;
  throw new AppRegistryError(`The connected wallet is ${signer}, and this was prepared for ${account}.`, {
    action: "Connect that wallet, or go back to the form and publish with the connected one.",
  });
}

async function showControl(run: Run): Promise<string> {
  const { submission, report } = run;
  const { order } = submission();
  const did = parseDid(order.did);
  const asked =
    did.method === "web" ? `${did.host} for did.json` : `the contract ${did.address} for its owner`;
  report({ type: "stage", stage: "control", state: "working", note: `Asking ${asked}` });
  const answer = await attested(run, "control", { requiredSchemas: ["did-ownership"] });
  if (answer.ok)
    return answer.status === "already-attested" ? "Attested already" : "Attested by the registry's issuer";
  if (isWait(answer)) {
    const note = "Your wallet does not count as a controller yet. Below is why, and until when.";
    report({ type: "stage", stage: "control", state: "waiting", note });
    throw new Stopped();
  }
  report({ type: "fail", stage: "control", problem: controlProblem(answer) });
  throw new Stopped();
}

async function simulate({ submission, client, report }: Run): Promise<string> {
  report({
    type: "stage",
    stage: "simulate",
    state: "working",
    note: "Asking the chain whether it would accept it",
  });
  const { order } = submission();
  if (await isPublished(client, order)) {
    // Sent while this page was away, or from another one.
    report({ type: "stage", stage: "sign", state: "done", note: "It was signed before" });
    report({ type: "stage", stage: "receipt", state: "done", note: "The chain has it" });
    return "The chain has exactly this version already";
  }
  const { gas, wei } = await estimateCost(client, order);
  return `It passes: about ${gas.toLocaleString("en")} gas, ${formatFee(wei)}`;
}

async function sign(run: Run): Promise<string> {
  const { submission, report } = run;
  report({
    type: "stage",
    stage: "sign",
    state: "working",
    note: "Waiting for you to confirm it in your wallet",
  });
  const client = await openSignerOf(run);
  const transactionHash = await sendOrder(client, submission().order);
  report({ type: "sent", transactionHash });
  return "Signed and sent";
}

async function receive({ submission, client, report }: Run): Promise<string> {
  const hash = submission().transactionHash;
  if (hash === undefined) throw new Error("The transaction was not sent.");
  report({
    type: "stage",
    stage: "receipt",
    state: "working",
    note: "Sent; waiting for a block that holds it",
  });
  const { blockNumber, gasUsed } = await client.waitForReceipt({ hash });
  return `In block ${blockNumber.toLocaleString("en")}, ${gasUsed.toLocaleString("en")} gas`;
}

async function attestContent(run: Run): Promise<string> {
  const { submission, report } = run;
  const { order } = submission();
  report({
    type: "stage",
    stage: "content",
    state: "working",
    note: "Asking the issuer to hash the document",
  });
  const answer = await attested(run, "content", {
    requiredSchemas: ["data-hash"],
    major: order.version.major,
  });
  if (answer.ok) return "The issuer attests this dataHash";
  report({
    type: "fail",
    stage: "content",
    problem: {
      title: "The content is not attested yet",
      why: answer.detail ?? answer.title,
      action: "Your record is published. Try again, or leave it: the hash can be attested at any later time.",
      detail: answer.requestId && `Request ${answer.requestId}: ${answer.code ?? answer.status}`,
    },
  });
  throw new Stopped();
}

async function find({ submission, report }: Run): Promise<string> {
  const { did, version } = submission().order;
  const note = "Waiting for the index to read the block";
  report({ type: "stage", stage: "index", state: "working", note });
  await waitUntilIndexed(did, version);
  return "Search finds it";
}

const stages: Record<StageId, (run: Run) => Promise<string>> = {
  control: showControl,
  simulate,
  sign,
  receipt: receive,
  content: attestContent,
  index: find,
};

/**
 * Carries a publication on from its first stage that is not done, and reports what happens.
 * @returns true when everything is done; false when it stopped, with the reason reported.
 */
export async function runSubmission(run: Run): Promise<boolean> {
  for (;;) {
    const stage = nextStage(run.submission());
    if (stage === undefined) return true;
    try {
      run.report({ type: "stage", stage, state: "done", note: await stages[stage](run) });
    } catch (error) {
      if (!(error instanceof Stopped)) reportError(run, stage, error);
      return false;
    }
  }
}

function reportError({ report }: Run, stage: StageId, thrown: unknown): void {
  const error = toAppRegistryError(thrown);
  report({
    type: "fail",
    stage,
    reverted: stage === "receipt" && error instanceof TransactionRevertedError,
    problem: {
      title: error.shortMessage,
      action: error.action,
      detail: error.cause instanceof Error ? error.cause.message : undefined,
      field: fieldOf(error instanceof TransactionRevertedError ? error.cause : error),
    },
  });
}

/** The draft field that a contract's refusal speaks of. */
function fieldOf(error: unknown): string | undefined {
  const name = (error as { errorName?: string }).errorName;
  const fields: Record<string, string> = {
    AppAlreadyExists: "version",
    VersionNotGreater: "version",
    MajorNotNext: "version",
    VersionExhausted: "version",
    InvalidDID: "did",
    InterfaceRemoved: "interfaces",
    InterfaceChangeNeedsMinor: "interfaces",
    MetadataTooLarge: "storage",
    DataUrlTooLong: "dataUrl",
    TooManyTraits: "/traits",
    DuplicateTrait: "/traits",
    ContractIdTooLong: "contractId",
    FungibleTokenIdTooLong: "fungibleTokenId",
  };
  return name === undefined ? undefined : fields[name];
}
