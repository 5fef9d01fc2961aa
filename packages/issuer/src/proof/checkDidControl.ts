import { type Did, type DidPkh, parseDid } from "@app-registry/sdk";
import { getAddress, isAddressEqual } from "viem";
import { checkDidWeb } from "./checkDidWeb.ts";
import { type ContractControl, readContractControl } from "./contractControl.ts";
import { isContractAccount } from "./contractReads.ts";
import {
  type CheckDidControlParameters,
  type DidControl,
  type DidControlAttempt,
  type DidControlVerdict,
  findForeignChainProblem,
  formatMissingRpc,
} from "./didControl.ts";

/**
 * Checks a did:pkh by the controller of its contract, on the chain in the DID.
 * @throws {RpcUnavailableError} if a configured chain does not respond.
 */
async function checkDidPkh(did: DidPkh, parameters: CheckDidControlParameters): Promise<DidControlVerdict> {
  const { chainClient, chainId } = parameters;
  const controller = getAddress(parameters.controller);
  const client = chainClient(did.chainId);
  const contract = getAddress(did.address);
  if (!client) {
    const reason = formatMissingRpc(did.chainId);
    const ways = [{ way: `eip155:${did.chainId}`, reason }];
    return { outcome: "fail", code: "chain-not-configured", reason, ways };
  }
  const control = await readContractControl({
    client,
    chainId: did.chainId,
    address: did.address,
    controller,
  });
  const { owner, answers, blockNumber } = control;
  const decisive = answers.at(-1);
  if (!owner || !decisive) {
    const reason = `No owner or admin could be read from contract ${contract} on chain ${did.chainId}.`;
    return { outcome: "fail", code: "contract-owner-unknown", reason, ways: toControlAttempts(control) };
  }
  const { way, through } = decisive;
  if (!isAddressEqual(owner, controller)) {
    if (way === "EIP-7702 key") {
      const reason =
        `The account ${contract} on chain ${did.chainId} is a regular account that delegates to code (EIP-7702): ` +
        `only its own key controls it, not ${controller}.`;
      return { outcome: "fail", code: "contract-owner-mismatch", reason, ways: toControlAttempts(control) };
    }
    const isContract = await isContractAccount({ client, address: owner, blockNumber });
    const hint = isContract
      ? " That is a contract account, such as a Safe. Connect with that account itself."
      : "";
    const reason = `The contract ${contract} is controlled by ${owner} (${way}), not by ${controller}.${hint}`;
    return { outcome: "fail", code: "contract-owner-mismatch", reason, ways: toControlAttempts(control) };
  }
  const elsewhere =
    did.chainId === chainId ? undefined : await findForeignChainProblem(controller, did.chainId, parameters);
  if (elsewhere) return { outcome: "fail", ...elsewhere, ways: [{ way, reason: elsewhere.reason }] };
  const evidence = { kind: "contract-owner", chainId: did.chainId, contract, way } as const;
  return {
    outcome: "pass",
    evidence: { ...evidence, ...(through ? { through } : {}), blockNumber: Number(blockNumber) },
  };
}

function toControlAttempts({ answers }: ContractControl): DidControlAttempt[] {
  return answers.map(({ way, owner, reason, missingRole }) => ({
    way,
    reason: owner ? `names ${owner}, not the connected wallet` : (reason ?? ""),
    ...(owner && { owner }),
    ...(missingRole && { missingRole }),
  }));
}

type Check<Parsed extends Did> = (
  did: Parsed,
  parameters: CheckDidControlParameters,
) => Promise<DidControlVerdict>;

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
