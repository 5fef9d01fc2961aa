import type { Hex, TransactionReceipt } from "viem";
import type { PreparedCall } from "../client/context.ts";
import { type SendOptions, sendCall } from "../client/sendCall.ts";
import { normalizeDid } from "../did.ts";
import { NoAccountError } from "../errors/walletErrors.ts";
import { canonicalizeValue } from "../json.ts";
import { parseVersion } from "../version.ts";
import { type ControlRequest, ensureControl } from "./ensureControl.ts";
import { obtainAttestation } from "./obtainAttestation.ts";
import { type PlanPublicationParameters, planPublication } from "./planPublication.ts";
import { messageSigner } from "./proveWallet.ts";

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

  const send = async (call: PreparedCall) =>
    client.waitForReceipt({ hash: await sendCall(client, call, { account }) });
  const signMessage = messageSigner(() => client, account);
  const request = { client, baseUrl, did, major: version.major, controller, signMessage, carry: send };
  await ensureControl(request);
  const prepare = plan.action === "mint" ? client.prepareMint : client.prepareUpdateAppControlled;
  const receipt = await send(prepare(plan.parameters));
  return { status: "published", did, dataHash, receipt, attested: await attestContent(request) };
}

/** The record stands whatever the issuer says of its document. */
async function attestContent({ baseUrl, controller, ...request }: ControlRequest): Promise<boolean> {
  if (baseUrl === undefined) return false;
  const requiredSchemas = ["data-hash" as const];
  return obtainAttestation({ ...request, baseUrl, connectedAddress: controller, requiredSchemas }).then(
    ({ ok }) => ok,
    () => false,
  );
}
