import { type Did, parseDid } from "@app-registry/sdk";
import { getAddress } from "viem";
import { checkDidPkh } from "./checkDidPkh.ts";
import { checkDidWeb } from "./checkDidWeb.ts";
import type { CheckDidControlParameters, DidControl, DidControlVerdict } from "./didControl.ts";

type Check<Parsed extends Did> = (
  did: Parsed,
  parameters: CheckDidControlParameters,
) => Promise<DidControlVerdict>;

/** Proof of control of each method. */
const checks: { [Method in Did["method"]]: Check<Extract<Did, { method: Method }>> } = {
  web: checkDidWeb,
  pkh: checkDidPkh,
};

/**
 * Checks whether a wallet controls a DID: a did:web by its DID document, whose `id` must be the DID (or by a DNS
 * record, if the operator accepts those), a did:pkh by the controller of its contract. Returns the evidence, or the
 * reason each method failed and the document to publish.
 * @throws {InvalidDidError} for an invalid DID.
 * @throws {RpcUnavailableError} if a required chain does not respond.
 * @example
 * const { outcome } = await checkDidControl({
 *   did,
 *   controller,
 *   guardedFetch,
 *   chainId: 31337,
 *   chainClient: () => undefined,
 *   allowLoopback: true,
 * });
 * outcome; // "pass"
 */
export async function checkDidControl(parameters: CheckDidControlParameters): Promise<DidControl> {
  const did = typeof parameters.did === "string" ? parseDid(parameters.did) : parameters.did;
  const check = checks[did.method] as Check<Did>;
  const verdict = await check(did, parameters);
  return { did: did.did, controller: getAddress(parameters.controller), ...verdict };
}
