import type { Address } from "viem";
import { isContractAccount, wrapRpcErrors } from "./contractReads.ts";
import type { CheckDidControlParameters, DidControlFailureCode } from "./didControl.ts";

/**
 * Why an account that is named on another chain, or on none, may be somebody else's on the registry's chain; undefined
 * if nothing indicates that. A key is the same account everywhere. A contract account at the same address can be another
 * one (whoever deploys it there owns it), so it counts only on its own chain.
 * @param named The chain on which it is named; also read if the operator configured its RPC.
 * @throws RpcUnavailableError when one of the chains does not answer.
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

/** Says that the operator configured no RPC for a chain. */
export function formatMissingRpc(chainId: number): string {
  return `This server can't read chain ${chainId}. Its operator must set RPC_URL_${chainId}.`;
}
