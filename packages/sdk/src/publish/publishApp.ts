import type { Hex } from "viem";
import { checkArguments } from "../arguments.ts";
import type { SendOptions } from "../client/calls.ts";
import type { CanonicalDid } from "../did.ts";
import { NoAccountError } from "../errors/walletErrors.ts";
import { canonicalizeValue } from "../json.ts";
import { formatVersion, type VersionInput } from "../version.ts";
import { createPublication, getStage, type Operation } from "./operation.ts";
import { type PlanPublicationParameters, publicationArguments } from "./planPublication.ts";
import { type OperationContext, runOperation } from "./runOperation.ts";

/** Version to publish and account that sends it. See {@link PlanPublicationParameters} for the defaults. */
export type PublishAppParameters = Omit<PlanPublicationParameters, "version" | "metadata"> &
  SendOptions & {
    version: VersionInput;
    /** Metadata document, as JSON text or as a value. */
    metadata: string | object;
  };

/** Result of {@link publishApp}. */
export type PublishAppResult = {
  /** `already-published` if this version was already published with this content, and nothing was sent. */
  status: "published" | "already-published";
  did: CanonicalDid;
  dataHash: Hex;
  /** Transaction that published it; `undefined` if nothing was sent. */
  transactionHash: Hex | undefined;
  /** True if an issuer has a live attestation of the dataHash. */
  attested: boolean;
};

/**
 * Publishes a version of a service, its first or a later one, and waits until the transaction is confirmed. Safe to
 * repeat.
 *
 * With a web service (`baseUrl`, or a client of `connectAppRegistry`), its issuer first checks that the wallet controls
 * the DID, and attests the document's hash afterwards. Without one, the wallet must already be attested.
 *
 * @throws {NotPublishableError} listing the problems of the metadata.
 * @throws {PublicationConflictError} when the version is published with other content.
 * @throws {ControlNotAttestedError} when the issuer does not attest that the wallet controls the DID.
 * @throws {ContractRevertError} before anything is sent, when the registry would refuse.
 * @throws {TransactionRevertedError} when the transaction reverted.
 * @example
 * const { status } = await publishApp({ client, did, version: "1.1.0", interfaces: 2, metadata });
 * status; // "published"
 */
export async function publishApp(parameters: PublishAppParameters): Promise<PublishAppResult> {
  return publishWith(parameters, {});
}

/** Publishes a version with other ways to send and to request attestations. */
export async function publishWith(
  parameters: PublishAppParameters,
  ways: Pick<OperationContext, "requestAttestation" | "sendQueue" | "onEvent">,
): Promise<PublishAppResult> {
  checkArguments(`${publicationArguments} account?`, parameters);
  const version = formatVersion(parameters.version);
  const { account: given, client, baseUrl = client.baseUrl, metadata, ...rest } = parameters;
  const account = given ?? client.walletClient?.account;
  if (!account) throw new NoAccountError();
  const address = typeof account === "string" ? account : account.address;
  const text = typeof metadata === "string" ? metadata : canonicalizeValue(metadata);
  let operation: Operation = createPublication({ ...rest, version, metadata: text }, address, [
    "plan",
    "control",
    "simulate",
    "sign",
    "receipt",
    // Without a web service, no issuer can attest the content.
    ...(baseUrl === undefined ? [] : (["content"] as const)),
  ]);
  const openSigner = async () => client;
  const onEvent: OperationContext["onEvent"] = (event, next) => {
    operation = next;
    ways.onEvent?.(event, next);
  };
  const host = { ...ways, client, baseUrl, account, openSigner, onEvent };
  await runOperation(operation, host).catch((error) => {
    // The record is published, even if the issuer refuses to attest its document.
    if (getStage(operation, "receipt")?.state !== "done") throw error;
  });
  const { did, plan, transactionHash } = operation;
  if (!plan) throw new Error("A publication that was carried out has a plan.");
  const { dataHash } = plan.parameters;
  const attested = await client.checkDataHashAttestation({ did, dataHash });
  const status = transactionHash === undefined ? "already-published" : "published";
  return { status, did, dataHash, transactionHash, attested };
}
