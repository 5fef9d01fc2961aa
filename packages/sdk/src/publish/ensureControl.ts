import { type Address, isAddressEqual } from "viem";
import type { PreparedCall } from "../client/context.ts";
import type { AppRegistryClient } from "../client/createAppRegistryClient.ts";
import { orUndefinedIfNotRegistered } from "../client/isNotRegistered.ts";
import { AppRegistryError } from "../errors/appRegistryError.ts";
import { obtainAttestation } from "./obtainAttestation.ts";
import type { SignMessage } from "./proveWallet.ts";
import type { AttestationAnswer } from "./requestAttestation.ts";

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

/** Who is to control which DID, to write the record of which major version. */
export type ControlRequest = {
  client: AppRegistryClient;
  baseUrl: string | undefined;
  did: string;
  major: number;
  controller: Address;
  /** Signs as the controller, for a service that attests to a wallet's holder alone. */
  signMessage?: SignMessage | undefined;
  /** Sends a call as the controller and waits until it is mined, for a service whose issuer only signs. */
  carry: (call: PreparedCall) => Promise<unknown>;
};

/** Has the wallet attested that is to mint, or that minted or holds the record; others act as operators of theirs. */
export async function ensureControl({
  client,
  baseUrl,
  did,
  major,
  controller,
  signMessage,
  carry,
}: ControlRequest): Promise<void> {
  if (baseUrl === undefined || (await client.checkDid({ did, controller }))) return;
  const record = await orUndefinedIfNotRegistered(client.getAppSummary({ did, major }));
  if (record && ![record.minter, record.owner].some((account) => isAddressEqual(account, controller))) return;
  const requiredSchemas = ["did-ownership" as const];
  const request = { client, baseUrl, did, connectedAddress: controller, requiredSchemas, signMessage, carry };
  const answer = await obtainAttestation(request);
  if (!answer.ok) throw new ControlNotAttestedError(did, answer);
}
