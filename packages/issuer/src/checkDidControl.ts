import { parseDid } from "@app-registry/sdk";
import { getAddress } from "viem";
import { checkDidPkh } from "./checkDidPkh.ts";
import { checkDidWeb } from "./checkDidWeb.ts";
import type { CheckDidControlParameters, DidControl } from "./didControl.ts";

/**
 * Checks whether a wallet controls a DID: a did:web by its DID document, whose `id` must be the DID (or, where the
 * operator takes it, by a DNS record), a did:pkh by who controls its contract. Says what was found, or for each way why
 * it failed and what to publish.
 * @throws InvalidDidError for a DID that isn't one, RpcUnavailableError when a chain that has to be asked does not
 * answer.
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
