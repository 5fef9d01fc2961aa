import { type Address, type Hex, isAddressEqual, type TransactionReceipt } from "viem";
import type { AppRegistryClient } from "../client/createAppRegistryClient.ts";
import { orUndefinedIfNotRegistered } from "../client/isNotRegistered.ts";
import type { SendOptions } from "../client/sendCall.ts";
import { normalizeDid } from "../did.ts";
import { AppRegistryError } from "../errors/appRegistryError.ts";
import { NoAccountError } from "../errors/walletErrors.ts";
import { canonicalizeValue } from "../json.ts";
import { parseVersion } from "../version.ts";
import { type PlanPublicationParameters, planPublication } from "./planPublication.ts";
import { type AttestationAnswer, requestAttestation } from "./requestAttestation.ts";

/** What to publish, and who sends it; see {@link PlanPublicationParameters} for the defaults. */
export type PublishAppParameters = Omit<PlanPublicationParameters, "version" | "metadata"> &
  SendOptions & {
    /** `major.minor.patch`, each 0 to 255. */
    version: string;
    /** The metadata document: its JSON text, or its value. */
    metadata: string | object;
  };

/** What {@link publishApp} did. */
export type PublishAppResult = {
  /** `already-published`: this version stands there with this content, and nothing was sent. */
  status: "published" | "already-published";
  /** The canonical DID. */
  did: string;
  dataHash: Hex;
  /** Of the transaction that published it; undefined when nothing was sent. */
  receipt: TransactionReceipt | undefined;
  /** An issuer attests the dataHash now. */
  attested: boolean;
};

/** The web service's issuer did not attest that the wallet controls the DID. `answer` says why. */
export class ControlNotAttestedError extends AppRegistryError {
  override readonly name = "ControlNotAttestedError";
  /** The issuer's answer: each way that was tried, what to publish, from when on a newcomer counts. */
  readonly answer: AttestationAnswer;

  constructor(did: string, answer: AttestationAnswer) {
    super(answer.detail ?? `The wallet is not attested as a controller of ${did} (${answer.status}).`, {
      action: answer.publish
        ? `Serve the DID document of error.answer.publish at ${answer.publish.url}, then publish again.`
        : "Publish again once the wallet counts; a controller who counts can vouch for it.",
      docsPath: "/sdk#publish",
      retryable: answer.retryable || answer.status === "waiting",
    });
    this.answer = answer;
  }
}

/**
 * Publishes a version of a service, its first or a later one, and waits until it is mined. Safe to repeat.
 *
 * With a web service (`baseUrl`, or a client of `connectAppRegistry`) its issuer checks first that the wallet controls
 * the DID, and attests the document's hash afterwards; without one the DID has to be attested already.
 *
 * @throws {NotPublishableError}, {@link PublicationConflictError} when the version stands there with other content,
 * {@link ControlNotAttestedError}, {@link ContractRevertError} before anything is sent when the registry would refuse,
 * {@link TransactionRevertedError}.
 * @example
 * const { status } = await publishApp({ client, did, version: "1.1.0", interfaces: 2, metadata });
 * status; // "published"
 */
export async function publishApp(parameters: PublishAppParameters): Promise<PublishAppResult> {
  const { account: given, client, baseUrl = client.baseUrl, metadata, ...rest } = parameters;
  const account = given ?? client.walletClient?.account;
  if (!account) throw new NoAccountError();
  const controller = typeof account === "string" ? account : account.address;
  const did = normalizeDid(rest.did);
  const version = parseVersion(rest.version);
  const text = typeof metadata === "string" ? metadata : canonicalizeValue(metadata);
  const plan = await planPublication({ ...rest, client, baseUrl, did, version, metadata: text });
  const { dataHash } = plan.parameters;
  if (plan.action === "none") {
    const attested = await client.checkDataHashAttestation({ did, dataHash });
    return { status: "already-published", did, dataHash, receipt: undefined, attested };
  }

  const request = { client, baseUrl, did, major: version.major, controller };
  await ensureControl(request);
  const write = plan.action === "mint" ? client.mint : client.updateAppControlled;
  const hash = await write({ ...plan.parameters, account });
  const receipt = await client.waitForReceipt({ hash });
  return { status: "published", did, dataHash, receipt, attested: await attestContent(request) };
}

type ControlRequest = {
  client: AppRegistryClient;
  baseUrl: string | undefined;
  did: string;
  major: number;
  controller: Address;
};

/** Has the wallet attested that is to mint, or that minted or holds the record; others act as operators of theirs. */
async function ensureControl({ client, baseUrl, did, major, controller }: ControlRequest): Promise<void> {
  if (baseUrl === undefined || (await client.checkDid({ did, controller }))) return;
  const record = await orUndefinedIfNotRegistered(client.getAppSummary({ did, major }));
  if (record && ![record.minter, record.owner].some((account) => isAddressEqual(account, controller))) return;
  const requiredSchemas = ["did-ownership" as const];
  const answer = await requestAttestation({ baseUrl, did, connectedAddress: controller, requiredSchemas });
  if (!answer.ok) throw new ControlNotAttestedError(did, answer);
}

/** The record stands whatever the issuer says of its document. */
async function attestContent({ baseUrl, did, major, controller }: ControlRequest): Promise<boolean> {
  if (baseUrl === undefined) return false;
  const requiredSchemas = ["data-hash" as const];
  return requestAttestation({ baseUrl, did, connectedAddress: controller, requiredSchemas, major }).then(
    ({ ok }) => ok,
    () => false,
  );
}
