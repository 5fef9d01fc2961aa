import { parseDid } from "@app-registry/sdk";
import { getAddress } from "viem";
import { checkDidPkh } from "./checkDidPkh.ts";
import { checkDidWeb } from "./checkDidWeb.ts";
import type { CheckDidControlParameters, DidControl } from "./didControl.ts";

/**
 * Checks whether a wallet controls a DID: a did:web by its DID document, whose `id` must be the DID (or by a DNS record,
 * if the operator accepts one), a did:pkh by who controls its contract. Returns the evidence, or why each way failed and
 * what to publish.
 * @throws InvalidDidError for an invalid DID, RpcUnavailableError when a chain that must be read doesn't answer.
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
