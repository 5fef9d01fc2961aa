import type { Address } from "viem";
import { isContractAccount, wrapRpcErrors } from "./contractReads.ts";
import type { CheckDidControlParameters, DidControlFailureCode } from "./didControl.ts";

/**
 * Returns the reason an account of another chain, or of none, may belong to someone else on the registry's chain, or
 * `undefined` if nothing indicates that. A key is the same account on every chain. A contract account is valid only on
 * its own chain, because anyone may be able to deploy another contract at the same address elsewhere.
 * @param named Chain of the account. It is also read if the operator configured its RPC.
 * @throws {RpcUnavailableError} if one of the chains does not respond.
 */
export async function findForeignChainProblem(
  controller: Address,
  named: number | undefined,
  { chainClient, chainId }: Pick<CheckDidControlParameters, "chainClient" | "chainId">,
): Promise<{ code: DidControlFailureCode; reason: string } | undefined> {
  const registry = chainClient(chainId);
  if (!registry) return { code: "chain-not-configured", reason: formatMissingRpc(chainId) };
  const other = named === undefined ? undefined : chainClient(named);
  for (const client of other ? [registry, other] : [registry]) {
    const blockNumber = await wrapRpcErrors(client.getBlockNumber({ cacheTime: 0 }));
    if (!(await isContractAccount({ client, address: controller, blockNumber }))) continue;
    const reason =
      `${controller} is a contract account${client === other ? ` on chain ${named}` : ""}, but the DID document does not list it as an ` +
      `account on chain ${chainId}, the registry's chain. The same contract address can belong to different accounts on different chains.`;
    return { code: "contract-account-elsewhere", reason };
  }
  return undefined;
}

/** Formats the message for a chain without a configured RPC. */
export function formatMissingRpc(chainId: number): string {
  return `This server can't read chain ${chainId}. Its operator must set RPC_URL_${chainId}.`;
}
