import { parseDid } from "@app-registry/sdk";
import { getAddress } from "viem";
import { checkDidPkh } from "./checkDidPkh.ts";
import { checkDidWeb } from "./checkDidWeb.ts";
import type { CheckDidControlParameters, DidControl } from "./didControl.ts";

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
  const verdict =
    did.method === "web" ? await checkDidWeb(did, parameters) : await checkDidPkh(did, parameters);
  return { did: did.did, controller: getAddress(parameters.controller), ...verdict };
}
